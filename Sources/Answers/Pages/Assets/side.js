// A run as the page works with it: its events, and all that is found in them once.

/** `words` names the run to a reader; `parting` is the number of the event where it parts from another run. */
function sideOf({ facts, trace, logs }, { name, words, parting = -1 }) {
    const events = readTrace(trace, logs);
    // What a device logs about an event stands behind it.
    const inTime = [...events].sort((one, other) => one.time - other.time || one.number - other.number);
    const proofs = new Set(facts.broken.flatMap(({ violations }) => violations.flatMap((one) => one.events)));
    const marks = d3.nest().key(({ event }) => event).rollup((some) => some.map(({ words }) => words)).entries(facts.marks);
    const marksOf = new Map(marks.map(({ key, value }) => [Number(key), value]));
    const end = endOfRun(events);
    return {
        name, words, facts, events, inTime, end, curves: curvesOf(events), parting, proofs, marks: marksOf,
        marked: new Set([...proofs, ...marksOf.keys()]),
        lanes: lanesOf(events), faults: faultsOf(events), distances: distancesOf(events), misses: missesOf(events),
        breaks: facts.broken.flatMap(({ promise, violations }) =>
            violations.map(({ time }) => ({ words: promise, time: time ?? end }))),
    };
}

/** The names of colours and strokes below a timeline. */
function legend(side) {
    const states = [...new Set(side.lanes.flatMap(({ spans }) => spans.map(({ state }) => state)))];
    const names = { up: "link", on: "radio on", made: "session without ranging" };
    return element("ul", { class: "legend" },
        states.map((state) => element("li", {}, element("span", { class: `swatch ${state}` }), names[state] ?? state)),
        side.misses.length === 0 ? null : element("li", {}, element("span", { class: "swatch missed" }), "missed round"),
        side.faults.length === 0 ? null : element("li", {}, element("span", { class: "swatch fault" }), "fault"));
}

/** Buttons that zoom; each says what it does to whoever does not see it. */
function zoomButtons(what, zoomBy, showAll) {
    const button = (text, label, onclick) => element("button", { type: "button", "aria-label": label, title: label, onclick }, text);
    return element("div", { class: "zoom" },
        button("−", `Zoom out of ${what}`, () => zoomBy(1 / 1.5)), button("+", `Zoom into ${what}`, () => zoomBy(1.5)),
        button("All", `Show all of ${what}`, showAll));
}

/** The event that a page of a run opens with: the last one that proves what broke first. */
function firstSight({ facts, marks, events }) {
    const proof = facts.broken[0]?.violations[0]?.events ?? [];
    const number = proof.length > 0 ? Math.max(...proof) : Math.min(...marks.keys());
    return events[number];
}
