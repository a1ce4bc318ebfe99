// The sequence diagram: a canvas over a long, empty box, so that panning is scrolling. Only what is in sight is
// drawn.

/** The height of the line of names at the top, in pixels. */
const HEAD = 44;
/** The least room of a device's line. */
const COLUMN = 118;
const ZOOMS = { least: 0.0005, most: 3, step: 1.3 };
/** States of sessions as they colour a device's line; the same names are in page.css. */
const BAR = 7;

/**
 * Makes the diagram of a run.
 *
 * `select` is called with the event that a reader chooses, `moved` when other moments come into sight.
 */
function sequenceDiagram(side, { select, moved }) {
    const canvas = element("canvas", { "aria-hidden": true });
    const box = element("div", { class: "extent", "aria-hidden": true });
    const options = [0, 1].map((turn) => element("div", {
        role: "option", id: `${side.name}-event-${turn}`, class: "hidden", "aria-selected": "false" },
        "no event is chosen"));
    const node = element("div", {
        class: "sequence", tabindex: "0", role: "listbox",
        "aria-label": `Sequence diagram of ${side.words}: arrow keys go from event to event, N to what proves a `
            + "broken promise, plus and minus zoom",
    }, canvas, box, ...options);
    const names = side.facts.devices.map(({ name }) => name);
    let layout = layoutOf([], false), zoom = 1, chosen = null, spoken = 0, pending = false;

    function draw() {
        if (pending) return;
        pending = true;
        requestAnimationFrame(() => {
            pending = false;
            paint();
        });
    }
    function paint() {
        const [width, height] = [node.clientWidth, node.clientHeight];
        if (width === 0) return;
        const ratio = devicePixelRatio || 1;
        if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
            [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
            canvas.style.width = `${width}px`;
            canvas.style.height = `${height}px`;
        }
        const context = canvas.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        const columns = columnsOf(side.facts.devices, width);
        box.style.width = `${columns.width}px`;
        drawSequence(context, {
            side, layout, zoom, columns, chosen, width, height, top: node.scrollTop, left: node.scrollLeft,
        });
        node.dataset.zoom = zoom.toFixed(3);
        moved(timesInSight());
    }
    function timesInSight() {
        const [from, to] = [node.scrollTop, node.scrollTop + node.clientHeight - HEAD];
        return [layout.timeAt(from / zoom), layout.timeAt(to / zoom)];
    }
    function resize() {
        box.style.height = `${Math.ceil(layout.height * zoom) + HEAD}px`;
    }
    function scrollTo(y) {
        node.scrollTop = y * zoom - (node.clientHeight - HEAD) / 3;
        draw();
    }
    function choose(event, isMoving = true) {
        chosen = event;
        const index = event ? layout.indexOf.get(event.number) : undefined;
        if (index !== undefined && isMoving) {
            const y = layout.places[index] * zoom - node.scrollTop;
            if (y < ROW || y > node.clientHeight - HEAD - ROW) scrollTo(layout.places[index]);
        }
        speak(index);
        draw();
    }
    function speak(index) {
        if (!chosen) return;
        spoken = 1 - spoken;
        const option = options[spoken];
        option.textContent = `${decimal(chosen.time, 3)} s, ${chosen.label}`
            + (chosen.device ? ` on ${chosen.device}` : "") + (chosen.arrival ? ` to ${chosen.peer}` : "");
        option.setAttribute("aria-selected", "true");
        options[1 - spoken].setAttribute("aria-selected", "false");
        if (index !== undefined) {
            option.setAttribute("aria-posinset", index + 1);
            option.setAttribute("aria-setsize", layout.items.length);
        }
        node.setAttribute("aria-activedescendant", option.id);
    }
    /** Keeps the height that is `offset` pixels below the top where it is. */
    function zoomTo(next, offset = (node.clientHeight - HEAD) / 2) {
        const fixed = (node.scrollTop + offset) / zoom;
        zoom = Math.min(ZOOMS.most, Math.max(ZOOMS.least, next));
        resize();
        node.scrollTop = fixed * zoom - offset;
        draw();
    }
    function step(direction) {
        const { items } = layout;
        let index = chosen ? layout.indexOf.get(chosen.number) ?? layout.nearest(node.scrollTop / zoom)
            : layout.nearest(node.scrollTop / zoom) - direction;
        do index += direction; while (items[index] && items[index].type !== "event");
        if (items[index]) select(items[index].event);
    }
    function stepToMarked() {
        const after = layout.items.find((item) => item.type === "event" && side.marked.has(item.event.number)
            && (!chosen || item.event.number > chosen.number));
        const event = after?.event ?? side.events[Math.min(...side.marked)];
        if (event) select(event);
    }
    const keys = {
        ArrowDown: () => step(1), ArrowUp: () => step(-1), "+": () => zoomTo(zoom * ZOOMS.step),
        "=": () => zoomTo(zoom * ZOOMS.step), "-": () => zoomTo(zoom / ZOOMS.step), 0: () => zoomTo(1),
        n: stepToMarked, N: stepToMarked, Escape: () => select(null),
    };
    node.addEventListener("keydown", (event) => {
        if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        keys[event.key]();
    });
    node.addEventListener("scroll", draw);
    node.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const offset = event.clientY - node.getBoundingClientRect().top - HEAD;
        zoomTo(zoom * 2 ** (-event.deltaY / 200), offset);
    }, { passive: false });
    node.addEventListener("click", (event) => {
        const y = event.clientY - node.getBoundingClientRect().top - HEAD + node.scrollTop;
        const near = layout.nearest(y / zoom);
        const around = [near, near - 1, near + 1].map((index) => layout.items[index]).filter((item) => item?.event);
        if (around.length > 0) select(around[0].event);
    });
    onAppearance(node, draw);
    return {
        node, names, draw, choose, zoomTo, stepToMarked,
        get zoom() { return zoom; },
        set(next) {
            layout = next;
            resize();
            draw();
        },
        showTime(time) { scrollTo(layout.at(time)); },
        fit() { zoomTo((node.clientHeight - HEAD) / layout.height, 0); },
    };
}

/** Where the lines of devices stand: the first at the left, the last at the right, the others between. */
function columnsOf(devices, width) {
    const gutter = width < 480 ? 62 : 104;
    const margin = 18;
    const whole = Math.max(width, gutter + 2 * margin + COLUMN * (devices.length - 1));
    const room = whole - gutter - 2 * margin;
    const at = new Map(devices.map(({ name }, place) =>
        [name, gutter + margin + (devices.length < 2 ? 0 : (room * place) / (devices.length - 1))]));
    return { at, gutter, width: whole, room: devices.length < 2 ? room : room / (devices.length - 1) };
}
