// The page of an exploration: each way to fail once, and how much was looked at.

function drawPage(exploration, body) {
    const { findings, runs, strategy, faults } = exploration;
    const tone = findings.length > 0 ? "violated" : "held";
    body.append(element("main", {},
        element("header", { class: "heading" },
            element("p", { class: "eyebrow" }, "Anechoic · exploration"),
            element("div", { class: "title" },
                element("h1", {}, findings.length === 0 ? "Nothing failed" : `${counted(findings.length, "way")} to fail`),
                element("span", { class: `verdict ${tone}` }, `in ${counted(runs, "run")}`)),
            element("p", { class: "about" }, [`strategy ${strategy}`, faults ? `faults: ${faults}` : null].filter(Boolean).join(" · ")),
            tiles(exploration)),
        findingsOf("What was found", causesOf(findings), {
            draw: cause, says: ({ ways }) => ways.flatMap(({ fingerprint, report }) =>
                [fingerprint, report.topology, ...report.promises.map(({ sentence }) => sentence)]),
            sorts: [["as found", null], ["most runs", ({ runs }) => -runs], ["by name", ({ name }) => name]],
        }),
        arms(exploration)));
}

function tiles({ runs, total, undecided, seconds: spent, coverage, latestNews, findings }) {
    const failing = findings.reduce((sum, { runs }) => sum + runs, 0);
    const all = [
        ["runs", runs], ["failing", failing], ["undecided", undecided], ["seconds", Math.round(spent * 10) / 10],
        ["pairs of state and event", coverage.states ?? 0], ["pairs of state and fault", coverage.faults ?? 0],
        ["messages under way when a link ended", coverage.inFlight ?? 0], ["nothing new since run", latestNews],
    ];
    if (total) all.splice(1, 0, ["of all", total]);
    return numbers(all);
}

/** The ways to fail that break one promise first, together. */
function causesOf(findings) {
    return d3.nest().key(({ fingerprint, report }) => report.firstBroken ?? fingerprint).entries(findings).map(({ key, values }) => ({
        name: key, ways: values, runs: values.reduce((sum, { runs }) => sum + runs, 0),
    }));
}

/** A cause: what its first way to fail says, and the others folded below it. */
function cause({ ways, runs }) {
    const [{ fingerprint, confirmations, divergence, report }] = ways;
    const [heading, about, ...story] = whatFailed(fingerprint, report);
    return element("article", { class: "finding" }, heading, about,
        element("p", { class: "violation" }, element("strong", {}, runs === 0 ? "The plain run" : counted(runs, "run")),
            `, first ${report.topology}, seed ${report.seed}, by ${report.scheduler}; repeated ${counted(confirmations, "time")}.`),
        story, logOf(report.log), divergence ? element("p", { class: "about" }, divergence) : null,
        ways.length === 1 ? null : element("details", {}, element("summary", {}, counted(ways.length, "way") + " to fail"),
            element("ul", { class: "endings" }, ways.map(({ fingerprint, runs, report }) => element("li", {},
                `${fingerprint}: ${counted(runs, "run")}, first ${report.topology}, seed ${report.seed}`)))),
        commandsOfRun(report.replay));
}

/** What each strategy has found. */
function arms({ arms }) {
    if (arms.length < 2) return null;
    const rows = arms.map(({ strategy, runs, failing }) => rowOfNumbers(strategy, [runs, failing, percent(failing, runs)]));
    return element("section", {}, element("h2", {}, "By strategy"),
        tableOf("Strategies", ["strategy", "runs", "failing", "share"], rows, { numbers: 1 }).node);
}
