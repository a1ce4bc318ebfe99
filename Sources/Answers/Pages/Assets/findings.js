// A way to fail, in words: what is promised, and what happened instead.

/** What a group of failures is: its first run is `report`; nothing is known of it where that is missing. */
function whatFailed(fingerprint, report) {
    // What was broken first is what the group is called by; the run may break more.
    const promise = report?.promises.find(({ promise }) => fingerprint.startsWith(`${promise}:`)) ?? report?.promises[0];
    const unmet = report?.expectations[0];
    const violation = promise?.violations[0];
    return [
        element("h2", {}, element("span", { class: "cross", "aria-hidden": true }, "✗"),
            ` ${promise?.sentence ?? report?.failure ?? (unmet ? `expected: ${unmet.expectation}` : fingerprint)}`),
        element("p", { class: "about" }, [fingerprint, promise?.keeper ? `to be kept by ${promise.keeper}` : null, promise?.clause]
            .filter(Boolean).join(" · ")),
        violation ? element("p", { class: "violation" }, violation.sentence) : null,
        unmet?.reason ? element("p", { class: "violation" }, unmet.reason) : null,
        violation && violation.story.length > 0 ? element("ul", { class: "endings" }, violation.story.map((line) => element("li", {}, line))) : null,
    ];
}

/** What races, or what it takes to pass; or why that is not known. */
function whyOf(why, trouble) {
    return [why ? element("p", { class: "violation" }, element("strong", {}, "Why: "), why) : null,
        trouble ? element("p", { class: "about" }, trouble) : null];
}

/** What the device itself had logged until something went wrong. */
function logOf(log) {
    return log ? element("div", { class: "violation" }, element("p", { class: "about" }, `What ${log.device} had logged until then ends with`),
        element("pre", {}, log.lines.join("\n"))) : null;
}

/** The smallest topology that fails so. */
function scenarioOf(scenario) {
    return scenario ? element("details", { open: scenario.text.split("\n").length <= 16 },
        element("summary", {}, `The smallest topology that fails so: ${scenario.change}`), element("pre", {}, scenario.text)) : null;
}

/** How to repeat a run and how to see it, behind one button. */
function commandsOfRun(replay, scenario = null) {
    if (!replay) return null;
    const smaller = scenario ? scenario.file.replace(/topology\.yaml$/, "replay.json") : null;
    const all = [["Repeat it", replay], ["See it", replay.replace(" replay ", " report ").replace(/ --trust$/, "")]];
    if (smaller) all.splice(1, 0, ["Repeat the smaller one", replay.replace(/ replay ('[^']*'|\S+)/, ` replay ${smaller}`)]);
    return element("details", { class: "press" }, element("summary", {}, "Commands"),
        all.map(([words, text]) => element("div", {}, element("p", { class: "about" }, words), command(text))));
}

/** Findings, one below the other; `says` are the words that a search looks in, `sorts` pairs of a name and what it sorts by. */
function findingsOf(heading, items, { draw, says, sorts }) {
    if (items.length === 0) return null;
    const nodes = new Map(items.map((item) => [item, draw(item)]));
    const told = element("output", { class: "told" });
    const list = element("div", {}, [...nodes.values()]);
    let [words, by] = ["", sorts[0][1]];
    function show() {
        const shown = items.filter((item) => says(item).some((text) => String(text ?? "").toLowerCase().includes(words)));
        if (by) shown.sort((one, other) => (by(one) < by(other) ? -1 : by(one) > by(other) ? 1 : 0));
        list.replaceChildren(...shown.map((item) => nodes.get(item)));
        told.textContent = `${shown.length} of ${items.length}`;
    }
    const tools = items.length < 4 ? null : element("form", { class: "filters", "aria-label": heading, onsubmit: (event) => event.preventDefault() },
        element("div", { class: "choices" }, searchBox("Search", (text) => {
            words = text;
            show();
        }), choice("Sort", sorts.map(([name], place) => [place, name]), (place) => {
            by = sorts[place][1];
            show();
        }), told));
    if (tools) {
        // Of many a reader wants to see which there are.
        for (const folded of list.querySelectorAll("details[open]")) folded.open = false;
        show();
    }
    return element("section", {}, element("h2", {}, heading), tools, list);
}
