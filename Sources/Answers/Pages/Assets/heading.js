// What broke, in words: the first thing that a reader sees.

/** Makes the top of a page of a run; `go` is called with the number of an event that a reader asks for. */
function heading(kind, facts, events, go) {
    const run = [`seed ${facts.seed}`, facts.scheduler].filter(Boolean).join(" · ");
    return element("header", { class: "heading" },
        element("p", { class: "eyebrow" }, `Anechoic · ${kind}`),
        element("div", { class: "title" },
            element("h1", {}, facts.topology),
            element("span", { class: `verdict ${facts.tone}` }, facts.verdict)),
        element("p", { class: "about" }, run),
        findings(facts, events, go),
        facts.endings.length === 0 ? null
            : element("ul", { class: "endings" }, facts.endings.map((words) => element("li", {}, words))));
}

function findings(facts, events, go) {
    if (facts.broken.length === 0) {
        return element("p", { class: "lead" }, facts.tone === "held"
            ? "Every promise that was put to the test was kept." : "No promise was broken.");
    }
    return element("div", {}, facts.broken.map((promise) => finding(promise, events, go)));
}

function finding({ promise, sentence, keeper, clause, isMeantToBreak, violations }, events, go) {
    const [first, ...more] = violations;
    return element("article", { class: "finding" },
        element("p", { class: "eyebrow" }, isMeantToBreak ? "Broken promise, as expected" : "Broken promise"),
        element("h2", {}, element("span", { class: "cross", "aria-hidden": true }, "✗"), ` ${sentence}`),
        element("p", { class: "about" }, [promise, keeper ? `to be kept by ${keeper}` : null, clause]
            .filter(Boolean).join(" · ")),
        violation(first, events, go),
        more.length === 0 ? null : element("details", {},
            element("summary", {}, `broken ${counted(more.length, "more time")}`),
            more.map((one) => violation(one, events, go))));
}

function violation({ time, sentence, events: numbers }, events, go) {
    return element("div", { class: "violation" },
        element("p", {}, element("strong", {}, time === null ? "At the end" : `At ${seconds(time)}`), ` ${sentence}`),
        element("ul", { class: "evidence", "aria-label": "Events that prove it" },
            numbers.map((number) => element("li", {}, evidence(events[number], number, go)))));
}

function evidence(event, number, go) {
    const words = event
        ? [element("span", { class: "when" }, `${decimal(event.time, 3)} s`), ` ${event.label}`,
            event.device ? element("span", { class: "on" }, ` on ${event.device}`) : null]
        : [`event ${number}`];
    return element("button", { type: "button", class: "event", onclick: () => go(number) }, words);
}

/** How to play a run again, and how to learn more of it. */
function commands(facts, isExplained) {
    const all = [["Repeat this run", facts.replay]];
    if (!isExplained) all.push(["Find out which two events race, and lay the nearest run that holds beside it", facts.explain]);
    return element("section", { class: "commands", "aria-label": "Commands" },
        all.filter(([, text]) => text).map(([words, text]) => element("div", {}, element("h2", {}, words), command(text))));
}
