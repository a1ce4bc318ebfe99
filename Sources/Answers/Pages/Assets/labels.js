// What a sequence diagram says in words: times, labels, notes.

/** Below this distance of rows, in pixels, labels are omitted where another one stands. */
const LEGIBLE = 16;

/** Times, numbers and labels; where rows are close the marked ones have theirs first. */
function drawLabels(paint, first, last) {
    const { layout, side, chosen, y } = paint;
    const taken = [];
    const isFree = (at) => taken.every((other) => Math.abs(other - at) >= LEGIBLE);
    const dense = last - first > 2 && (layout.places[last - 1] - layout.places[first]) * paint.zoom
        < (last - first) * LEGIBLE * 0.6;
    const weight = ({ type, event }) => (type !== "event" || event === chosen ? 2
        : side.marked.has(event.number) ? 1 : 0);
    for (let round = 2; round >= 0; round -= 1) {
        let before = -Infinity;
        for (let index = first; index < last; index += 1) {
            const item = layout.items[index];
            if (weight(item) !== round) continue;
            const at = y(layout.places[index]);
            const isArrival = item.event?.departure && item.type === "event" && round === 0
                && layout.indexOf.has(item.event.departure.number);
            if (at < HEAD - ROW || isArrival) continue;
            if (at - before < LEGIBLE && dense) continue;
            if (!isFree(at)) { if (dense || round === 0) drawDot(paint, item, at); continue; }
            before = at;
            taken.push(at);
            drawLabel(paint, item, index, at);
        }
    }
}

function drawDot({ context, colour, columns }, { event }, at) {
    if (!event) return;
    const x = columns.at.get(event.device);
    if (x === undefined) return;
    context.fillStyle = colour.quiet;
    context.fillRect(x - 2, at - 0.5, 4, 1);
}

function drawLabel(paint, item, index, at) {
    const { context, colour, columns } = paint;
    drawTime(paint, item, at);
    const right = columns.width - 12;
    if (item.type === "break") {
        context.font = `600 13px ${FONT}`;
        return write(paint, `✗ ${item.words}`, columns.gutter, at + 1, { colour: colour.bad, most: right - columns.gutter });
    }
    if (item.type === "mark") {
        context.font = `12px ${FONT}`;
        return write(paint, `⇄ ${item.words}`, columns.gutter, at - 2, { colour: colour.race, most: right - columns.gutter });
    }
    if (item.type === "parting" || item.type === "fold") return drawAcross(paint, item.words, at, colour.race);
    const { event } = item;
    if (!columns.at.has(event.device)) {
        const isOfScript = event.kind.startsWith("script.") || event.kind.startsWith("fault");
        return drawAcross(paint, event.label, at, isOfScript ? colour.fault : colour.quiet);
    }
    if (event.peer && isArrow(event) && columns.at.has(event.peer) && !event.departure) {
        return drawArrowLabel(paint, event, index, at);
    }
    drawNote(paint, event, at);
}

function drawTime({ context, colour, columns, side, width }, { type, event, time }, at) {
    context.font = `11px ${MONO}`;
    context.textBaseline = "middle";
    context.fillStyle = colour.quiet;
    context.textAlign = "right";
    if (type === "mark") return;
    context.fillText(decimal(time, width < 480 ? 3 : 6), columns.gutter - 12, at);
    if (!event || type !== "event" || !side.marked.has(event.number)) return;
    context.textAlign = "left";
    context.fillStyle = side.proofs.has(event.number) ? colour.bad : colour.race;
    context.font = `600 12px ${FONT}`;
    context.fillText(side.proofs.has(event.number) ? "▶" : "⇄", 5, at);
}

function drawAcross(paint, words, at, shade) {
    const { context, columns } = paint;
    context.strokeStyle = shade;
    context.lineWidth = 1;
    context.setLineDash([6, 4]);
    context.beginPath();
    context.moveTo(columns.gutter, Math.round(at) + 0.5);
    context.lineTo(columns.width - 8, Math.round(at) + 0.5);
    context.stroke();
    context.setLineDash([]);
    context.font = `500 12px ${FONT}`;
    write(paint, words, (columns.gutter + columns.width) / 2, at, {
        colour: shade, align: "center", most: columns.width - columns.gutter - 40, isOnLine: true,
    });
}

function drawArrowLabel(paint, event, index, at) {
    const { context, colour, columns, layout, side, y } = paint;
    const [from, to] = [columns.at.get(event.device), columns.at.get(event.peer)];
    const end = layout.endOf(layout.items[index]);
    const drop = end === undefined ? ARRIVAL : y(end) - at;
    const isMessage = event.kind.startsWith("msg.");
    context.font = `${isMessage ? 500 : 400} 12px ${FONT}`;
    const shade = side.proofs.has(event.number) ? colour.bad : isMessage ? colour.text : colour.quiet;
    const label = isLost(event) ? `${event.label} is lost` : event.label;
    const most = Math.abs(to - from) - 24;
    // In the middle of a flat arrow; beside the beginning of one that takes its time.
    if (drop < 30 && drop > -1) {
        return write(paint, label, (from + to) / 2, at - 3, { colour: shade, align: "center", most });
    }
    const isRight = to > from;
    write(paint, label, from + (isRight ? 12 : -12), at - 4, {
        colour: shade, align: isRight ? "left" : "right", most: most * 0.8,
    });
}

function drawNote(paint, event, at) {
    const { context, colour, columns, side } = paint;
    const x = columns.at.get(event.device);
    context.fillStyle = side.proofs.has(event.number) ? colour.bad : colour.quiet;
    context.beginPath();
    context.arc(x, at, 3.5, 0, 2 * Math.PI);
    context.fill();
    const isLast = columns.at.size > 1 && x >= columns.width - 60;
    context.font = `12px ${FONT}`;
    const isFault = event.kind.startsWith("fault.") || event.kind === "device.died";
    if (event.isLog) context.font = `11.5px ${MONO}`;
    write(paint, event.label, x + (isLast ? -11 : 11), at, {
        colour: side.proofs.has(event.number) ? colour.bad : isFault ? colour.fault : event.isLog ? colour.quiet : colour.text,
        align: isLast ? "right" : "left",
        most: (columns.at.size > 2 ? 1.6 : 1) * columns.room - 26,
    });
}

/** Writes a text on a ground of its own, cut where it is longer than there is room. */
function write({ context, colour: page }, text, x, y, { colour, align = "left", most, isOnLine = false }) {
    const shown = fitted(context, text, most);
    const width = context.measureText(shown).width;
    const left = align === "left" ? x : align === "right" ? x - width : x - width / 2;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.globalAlpha = isOnLine ? 1 : 0.82;
    context.fillStyle = page.ground;
    if (isOnLine) context.fillRect(left - 6, y - 8, width + 12, 16);
    context.globalAlpha = 1;
    context.lineWidth = 5;
    context.lineJoin = "round";
    context.strokeStyle = page.ground;
    if (!isOnLine) context.strokeText(shown, left, y);
    context.fillStyle = colour;
    context.fillText(shown, left, y);
}

function fitted(context, text, most) {
    if (context.measureText(text).width <= most) return text;
    let [low, high] = [0, text.length];
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (context.measureText(`${text.slice(0, middle)}…`).width <= most) low = middle;
        else high = middle - 1;
    }
    return `${text.slice(0, low)}…`;
}
