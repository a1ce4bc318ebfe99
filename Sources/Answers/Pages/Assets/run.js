// The page of a run.

function drawPage(run, body) {
    const { facts } = run;
    const side = sideOf(run, { name: "run", words: "this run" });
    let isTrue = false;
    const detail = detailPanel((event) => select(event));
    const line = timeline(side, (time) => diagram.showTime(time));
    const diagram = sequenceDiagram(side, { select, moved: (times) => line.mark(times) });
    const filter = eventFilter([side], redraw);

    function select(event) {
        diagram.choose(event);
        detail.show(event, side);
    }
    function go(number) {
        select(side.events[number] ?? null);
        diagram.node.focus({ preventScroll: true });
        diagram.node.scrollIntoView({ block: "nearest" });
    }
    function redraw() {
        const items = itemsOf(side, filter.includes);
        diagram.set(layoutOf(items, isTrue));
        filter.tell(items.filter(({ type }) => type === "event").length, side.events.length);
    }
    body.append(element("main", {},
        heading("run", facts, side.events, go),
        section("Over time", zoomButtons("the timeline", line.zoomBy, line.showAll), line.node, legend(side)),
        element("section", { class: "events" },
            element("div", { class: "bar" }, element("h2", {}, "What happened"),
                choice("Rows", [["events", "one after another"], ["time", "by time"]], (value) => {
                    isTrue = value === "time";
                    redraw();
                }),
                side.marked.size === 0 ? null : element("button", { type: "button", onclick: diagram.stepToMarked }, "Next proof"),
                zoomButtons("the diagram", (by) => diagram.zoomTo(diagram.zoom * by), diagram.fit)),
            filter.form, element("div", { class: "split" }, diagram.node, detail.panel), keysOf()),
        commands(facts, false)));
    redraw();
    const first = firstSight(side);
    if (first) requestAnimationFrame(() => select(first));
}

function section(words, tools, ...content) {
    return element("section", {}, element("div", { class: "bar" }, element("h2", {}, words), tools), content);
}

/** What keys do in the diagram. */
function keysOf() {
    const keys = [["↑ ↓", "from event to event"], ["N", "next proof"], ["+ − 0", "zoom"], ["Ctrl wheel", "zoom"]];
    return element("p", { class: "keys" }, keys.map(([key, words]) => [element("kbd", {}, key), ` ${words}`, " "]).flat());
}
