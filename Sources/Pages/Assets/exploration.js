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
        findings.length === 0 ? null : element("section", {}, element("h2", {}, "What was found"), findings.map(finding)),
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

function finding({ fingerprint, runs, confirmations, divergence, report }) {
    const promise = report.promises[0];
    const unmet = report.expectations[0];
    const violation = promise?.violations[0];
    return element("article", { class: "finding" },
        element("h2", {}, element("span", { class: "cross", "aria-hidden": true }, "✗"),
            ` ${promise?.sentence ?? report.failure ?? (unmet ? `expected: ${unmet.expectation}` : fingerprint)}`),
        element("p", { class: "about" }, [fingerprint, promise?.keeper ? `to be kept by the ${promise.keeper}` : null, promise?.clause]
            .filter(Boolean).join(" · ")),
        element("p", { class: "violation" }, element("strong", {}, runs === 0 ? "The plain run" : counted(runs, "run")),
            `, first ${report.topology}, seed ${report.seed}, by ${report.scheduler}; repeated ${counted(confirmations, "time")}.`),
        violation ? element("p", { class: "violation" }, violation.sentence) : null,
        unmet?.reason ? element("p", { class: "violation" }, unmet.reason) : null,
        violation && violation.story.length > 0 ? element("ul", { class: "endings" }, violation.story.map((line) => element("li", {}, line))) : null,
        divergence ? element("p", { class: "about" }, divergence) : null,
        report.replay ? [command(report.replay), command(report.replay.replace(" replay ", " report "))] : null);
}

/** What each strategy has found. */
function arms({ arms }) {
    if (arms.length < 2) return null;
    const rows = arms.map(({ strategy, runs, failing }) => element("tr", {},
        element("th", { scope: "row" }, strategy),
        element("td", { class: "number" }, runs.toLocaleString("en")), element("td", { class: "number" }, failing.toLocaleString("en")),
        element("td", { class: "number" }, runs === 0 ? "–" : `${((100 * failing) / runs).toFixed(2)} %`)));
    return element("section", {}, element("h2", {}, "By strategy"),
        element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Strategies" }, element("table", {},
            element("thead", {}, element("tr", {}, ["strategy", "runs", "failing", "share"].map((head, place) =>
                element("th", { scope: "col", class: place > 0 ? "number" : null }, head)))),
            element("tbody", {}, rows))));
}
