// The page of a failure: the run that breaks and the nearest one that holds, side by side.

function drawPage({ reason, common, pairs, failing, passing }, body) {
    const sides = [
        sideOf(failing, { name: "failing", words: "the run that breaks", parting: common }),
        sideOf(passing, { name: "passing", words: "the run that holds", parting: common }),
    ];
    // One scale of time for both.
    for (const side of sides) side.end = Math.max(...sides.map(({ events }) => endOfRun(events)));
    let isTrue = false, isFolded = true;
    const partners = partnersOf(pairs);
    const detail = detailPanel((event) => select(event, sides[shown]));
    let shown = 0;
    const lines = sides.map((side) => timeline(side, (time) => diagrams[sides.indexOf(side)].showTime(time)));
    const diagrams = sides.map((side, place) => sequenceDiagram(side, {
        select: (event) => select(event, side), moved: (times) => lines[place].mark(times),
    }));
    const filter = eventFilter(sides, redraw);

    function select(event, side) {
        shown = sides.indexOf(side);
        diagrams[shown].choose(event);
        const beside = event ? partners[shown].get(event.number) : undefined;
        const other = 1 - shown;
        diagrams[other].choose(beside === undefined ? null : sides[other].events[beside], false);
        detail.show(event, side);
    }
    function go(number) {
        select(sides[0].events[number] ?? null, sides[0]);
        diagrams[0].node.focus({ preventScroll: true });
        diagrams[0].node.scrollIntoView({ block: "nearest" });
    }
    function redraw() {
        const all = sides.map((side) => itemsOf(side, filter.includes));
        const items = isFolded ? folded(all) : all;
        fold.disabled = folded(all) === all;
        fold.textContent = isFolded && !fold.disabled ? "From the beginning" : "From where they part";
        const layouts = layoutsOf(items[0], items[1], partnerOf(items, partners[0]), isTrue);
        diagrams.forEach((diagram, place) => diagram.set(layouts[place]));
        filter.tell(items[0].filter(({ type }) => type === "event").length, sides[0].events.length);
    }
    function zoomBy(by) {
        diagrams[0].zoomTo(diagrams[0].zoom * by);
        diagrams[1].zoomTo(diagrams[0].zoom);
    }
    function toParting() {
        const event = sides[0].events[common] ?? sides[0].events[sides[0].events.length - 1];
        if (event) diagrams[0].showTime(event.time);
    }
    const fold = element("button", { type: "button", onclick: () => {
        isFolded = !isFolded;
        redraw();
    } });
    scrollTogether(diagrams.map(({ node }) => node));
    const tabs = tabsOf(["Breaks", "Holds"]);
    body.append(element("main", { class: "wide" },
        heading("failure", failing.facts, sides[0].events, go), why(reason),
        element("section", { class: "events" },
            element("div", { class: "bar" }, element("h2", {}, "Side by side"),
                choice("Rows", [["events", "one after another"], ["time", "by time"]], (value) => {
                    isTrue = value === "time";
                    redraw();
                }),
                fold, element("button", { type: "button", onclick: toParting }, "Where they part"),
                element("button", { type: "button", onclick: diagrams[0].stepToMarked }, "Next mark"),
                zoomButtons("the diagrams", zoomBy, () => diagrams.forEach((diagram) => diagram.fit()))),
            filter.form, tabs.node,
            element("div", { class: "pair" }, sides.map((side, place) => element("div", { class: `side ${side.facts.tone}` },
                element("h3", {}, element("span", { class: `verdict ${side.facts.tone}` }, place === 0 ? "breaks" : "holds"),
                    ` ${place === 0 ? "this run" : "the nearest run that holds"}`),
                lines[place].node, diagrams[place].node))),
            legend(sides[0]), detail.panel),
        commandsOf(sides)));
    tabs.show(0);
    redraw();
    const first = sides[0].events[Math.min(...sides[0].marks.keys())] ?? firstSight(sides[0]);
    if (first) requestAnimationFrame(() => select(first, sides[0]));
}

/** So many rows before the place where two runs part are shown at first. */
const BEFORE = 6;

/** The rows of two runs without what is the same in both, but for the last rows of that and what is marked. */
function folded(items) {
    const first = items[0].findIndex(({ type }) => type === "parting");
    const cut = items[0].slice(0, Math.max(0, first)).filter(({ type, event }) => type === "event" && !event.isLog).slice(-BEFORE)[0]?.event;
    const isKept = ({ type, event, isMarked, time }) => type !== "event" || isMarked
        || (event.isLog ? time >= cut.time : event.number >= cut.number);
    const hidden = cut ? items[0].filter((item) => !isKept(item)).length : 0;
    if (hidden <= BEFORE) return items;
    const words = `${counted(hidden, "row")} before, the same in both runs`;
    return items.map((some) => [{ type: "fold", time: cut.time, words }, ...some.filter(isKept)]);
}

/** Which event of the other run stands beside an event, for both. */
function partnersOf(pairs) {
    const [one, other] = [new Map(), new Map()];
    for (const [failing, passing, count] of pairs) {
        for (let step = 0; step < count; step += 1) {
            one.set(failing + step, passing + step);
            other.set(passing + step, failing + step);
        }
    }
    return [one, other];
}

/** Which item of the other run belongs to an item of the first. */
function partnerOf([one, other], partners) {
    const places = new Map();
    other.forEach((item, place) => {
        if (item.type === "event") places.set(item.event.number, place);
        if (item.type === "parting" || item.type === "fold") places.set(item.type, place);
    });
    return (item) => (item.type === "parting" || item.type === "fold" ? places.get(item.type)
        : item.type === "event" ? places.get(partners.get(item.event.number)) : undefined);
}

/** What explain has found. */
function why({ headline, lines }) {
    return element("section", { class: "why" }, element("h2", {}, "Why"),
        element("p", { class: "lead" }, headline[0].toUpperCase() + headline.slice(1)),
        lines.length === 0 ? null : element("p", {}, lines[0].trim()),
        lines.length < 2 ? null : element("details", {}, element("summary", {}, "How that is known"),
            element("ul", {}, lines.slice(1).map((line) => element("li", { class: line.startsWith("  ") ? "inner" : null }, line.trim())))));
}

function commandsOf(sides) {
    return element("section", { class: "commands", "aria-label": "Commands" },
        sides.filter(({ facts }) => facts.replay).map(({ facts, words }) =>
            element("div", {}, element("h2", {}, `Repeat ${words}`), command(facts.replay))));
}

/** Two boxes of one height that are scrolled as one. */
function scrollTogether(nodes) {
    for (const node of nodes) {
        node.addEventListener("scroll", () => {
            for (const other of nodes) {
                if (Math.abs(other.scrollTop - node.scrollTop) > 1) other.scrollTop = node.scrollTop;
            }
        });
    }
}

/** Where there is room for one run only, buttons choose which. */
function tabsOf(names) {
    const buttons = names.map((name, place) => element("button", { type: "button", onclick: () => show(place) }, name));
    const node = element("div", { class: "tabs" }, buttons);
    function show(place) {
        node.parentElement.dataset.shown = place;
        buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === place)));
    }
    return { node, show };
}
