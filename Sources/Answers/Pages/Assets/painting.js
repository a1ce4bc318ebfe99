// How a sequence diagram looks: one pass over the items in sight.

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const MONO = "ui-monospace, 'SF Mono', 'DejaVu Sans Mono', monospace";
function drawSequence(context, view) {
    const { layout, zoom, columns, width, height, top, left } = view;
    const paint = { ...view, context, colour: colours(), y: (place) => place * zoom - top + HEAD };
    context.clearRect(0, 0, width, height);
    context.save();
    context.translate(-left, 0);
    const first = layout.first(top / zoom);
    const bottom = (top + height) / zoom;
    const last = d3.bisectRight(layout.places, bottom);
    drawBands(paint, first, last);
    drawLines(paint);
    drawStates(paint);
    drawArrows(paint, first, last);
    drawLabels(paint, first, last);
    drawNames(paint);
    context.restore();
}

/** What is behind everything: the chosen event, what proves a broken promise, and rows across. */
function drawBands({ context, colour, layout, side, chosen, y, columns }, first, last) {
    for (let index = first; index < last; index += 1) {
        const item = layout.items[index];
        const at = y(layout.places[index]);
        const isChosen = item.event && item.event === chosen && item.type === "event";
        const shade = item.type === "break" ? colour["bad-soft"] : isChosen ? colour["chosen"]
            : item.type === "event" && side.proofs.has(item.event.number) ? colour["bad-soft"]
                : item.type === "event" && side.marks.has(item.event.number) ? colour["race-soft"] : null;
        if (!shade) continue;
        context.fillStyle = shade;
        context.fillRect(0, at - ROW / 2, columns.width, item.type === "break" ? ROW + 2 : ROW);
    }
}

function drawLines({ context, colour, columns, height }) {
    context.strokeStyle = colour.line;
    context.lineWidth = 1;
    for (const x of columns.at.values()) {
        context.beginPath();
        context.moveTo(Math.round(x) + 0.5, HEAD);
        context.lineTo(Math.round(x) + 0.5, height);
        context.stroke();
    }
}

/** The states of sessions and radios along the lines of their devices. */
function drawStates({ context, colour, layout, side, columns, y, height }) {
    for (const lane of side.lanes) {
        if (lane.kind === "link") continue;
        const x = columns.at.get(lane.devices[0]);
        for (const { from, to, state } of lane.spans) {
            const [above, below] = [Math.max(HEAD, y(layout.at(from))), Math.min(height, y(layout.at(to)))];
            if (x === undefined || below < HEAD || above > height) continue;
            context.fillStyle = colour[`state-${state}`];
            context.fillRect(x - BAR / 2, above, BAR, Math.max(1, below - above));
        }
    }
}

function drawArrows({ context, colour, layout, side, columns, y }, first, last) {
    const drawn = new Set();
    for (let index = first; index < last; index += 1) {
        const { type, event } = layout.items[index];
        if (type !== "event" || !event.peer || event.departure || !isArrow(event)) continue;
        const [from, to] = [columns.at.get(event.device), columns.at.get(event.peer)];
        if (from === undefined || to === undefined) continue;
        const start = y(layout.places[index]);
        // Arrows that would lie on each other are one, or a dense part would take a second.
        const key = `${Math.round(start)} ${from} ${to}`;
        if (drawn.has(key)) continue;
        drawn.add(key);
        const place = layout.endOf(layout.items[index]);
        const end = place === undefined ? start + ARRIVAL : y(place);
        const isProof = side.proofs.has(event.number) || side.proofs.has(event.arrival?.number);
        context.strokeStyle = context.fillStyle = isProof ? colour.bad
            : event.kind.startsWith("msg.") ? colour.text : colour.quiet;
        context.lineWidth = event.kind.startsWith("msg.") ? 1.4 : 1;
        drawArrow(context, from, start, to, end, {
            isLost: isLost(event), isMutual: event.kind.startsWith("link."), bad: colour.bad,
        });
    }
    context.setLineDash([]);
}

function isArrow({ kind }) { return /^(msg|att)\.|^link\.(up|down)$/.test(kind); }

function drawArrow(context, from, start, to, end, { isLost, isMutual, bad }) {
    const [x, y] = isLost ? [from + (to - from) * 0.72, start + (end - start) * 0.72] : [to, end];
    context.setLineDash(isLost ? [4, 3] : isMutual ? [2, 3] : []);
    context.beginPath();
    context.moveTo(from, start);
    context.lineTo(x, y);
    context.stroke();
    context.setLineDash([]);
    if (isLost) return drawCross(context, x, y, bad);
    drawHead(context, x, y, Math.atan2(end - start, to - from));
    if (isMutual) drawHead(context, from, start, Math.atan2(start - end, from - to));
}

function drawHead(context, x, y, angle) {
    context.beginPath();
    context.moveTo(x, y);
    for (const side of [-0.4, 0.4]) {
        context.lineTo(x - 9 * Math.cos(angle + side), y - 9 * Math.sin(angle + side));
    }
    context.fill();
}

function drawCross(context, x, y, colour) {
    context.strokeStyle = colour;
    context.beginPath();
    for (const [dx, dy] of [[-4, -4], [-4, 4]]) {
        context.moveTo(x + dx, y + dy);
        context.lineTo(x - dx, y - dy);
    }
    context.stroke();
}

/** The names at the top, above whatever is scrolled by. */
function drawNames({ context, colour, columns, side, width, left }) {
    context.fillStyle = colour.ground;
    context.fillRect(left, 0, width, HEAD - 4);
    context.strokeStyle = colour.line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(left, HEAD - 3.5);
    context.lineTo(left + width, HEAD - 3.5);
    context.stroke();
    context.textBaseline = "alphabetic";
    context.font = `11px ${FONT}`;
    context.fillStyle = colour.quiet;
    context.textAlign = "right";
    context.fillText(width < 480 ? "s" : "time [s]", columns.gutter - 12, 33);
    side.facts.devices.forEach(({ name, role }, place) => {
        const isLast = place > 0 && place === side.facts.devices.length - 1;
        const x = columns.at.get(name) + (place === 0 ? -BAR / 2 : isLast ? BAR / 2 : 0);
        context.textAlign = place === 0 ? "left" : isLast ? "right" : "center";
        context.fillStyle = colour.text;
        context.font = `600 13px ${FONT}`;
        context.fillText(fitted(context, name, columns.room - 8), x, 18);
        context.fillStyle = colour.quiet;
        context.font = `11px ${FONT}`;
        context.fillText(fitted(context, role ?? "", columns.room - 8), x, 33);
    });
}
