// The page of a soak: what is new this morning, what it means, and whether silence says something.

const ORDER = ["new", "ongoing", "rare", "gone"];

function drawPage(soak, body) {
    const { groups, canary, isInterrupted } = soak;
    const causesOf = (some) => new Set(some.map(({ cause }) => cause)).size;
    const counting = causesOf(groups.filter(({ counts }) => counts));
    const fresh = causesOf(groups.filter(({ state }) => state === "new"));
    const [tone, verdict] = isInterrupted ? ["open", "interrupted"] : canary === "missed" ? ["violated", "canary missed"]
        : soak.growths.length > 0 ? ["violated", "it grows"] : counting > 0 ? ["violated", `${counting} to look at`] : ["held", "nothing to look at"];
    const known = groups.filter(({ state }) => state === "ongoing").length;
    body.append(element("main", {},
        element("header", { class: "heading" },
            element("p", { class: "eyebrow" }, "Anechoic · soak"),
            element("div", { class: "title" },
                element("h1", {}, fresh > 0 ? counted(fresh, "new failure") : known > 0 ? "Nothing new failed" : "Nothing failed"),
                element("span", { class: `verdict ${tone}` }, verdict)),
            element("p", { class: "about" }, [`${moment(soak.begun)} UTC`, span(soak.seconds), soak.machine, soak.tool].join(" · ")),
            tiles(soak), meaning(soak)),
        failures(soak), unseen(soak), arms(soak), itself(soak), exercised(soak)));
}

function tiles({ runs, failing, undecided, simulated, seconds: spent, topologies, arms }) {
    const played = arms.reduce((sum, arm) => sum + arm.runs, 0);
    const all = [["runs", runs], ["failing", failing], ["simulated hours", Math.round(simulated / 3.6e11) / 10],
        ["runs a second", Math.round(spent > 0 ? played / spent : 0)], ["topologies", topologies]];
    if (undecided > 0) all.push(["undecided", undecided]);
    return numbers(all);
}

/** What silence says, in sentences. */
function meaning({ canary, canaryRate: { hits, of }, canaryPatience, runs, coverage, lateNews, latestNews, growths }) {
    const seen = `${hits.toLocaleString("en")} of ${counted(of, "run")}`;
    const patience = `it is found in ${counted(canaryPatience, "run")} with 99.9 %`;
    const words = {
        found: `Canary found: the known rare defect failed in ${seen}, so this search finds what it should.`,
        undecided: `Canary undecided: the known rare defect failed in ${seen}; ${patience}, so silence says little yet.`,
        missed: `Canary missed: the known rare defect failed in ${seen}, and ${patience}. This soak does not find what it should, and its silence means nothing.`,
    };
    const covered = Object.values(coverage).reduce((sum, count) => sum + count, 0);
    return element("ul", { class: "endings" },
        element("li", { class: canary === "missed" ? "bad" : null }, words[canary]),
        growths.map((growth) => element("li", { class: "bad" }, `Growth: ${growth}.`)),
        runs < 3 ? null : element("li", {}, `What none of these runs has shown has a chance below ${percent(3, runs)} a run of this kind (95 %).`),
        element("li", {}, `${counted(covered, "pair")} of state and event, of state and fault, and messages under way were covered, `
            + `${lateNews.toLocaleString("en")} of them first in the second half, the latest in run ${latestNews.toLocaleString("en")}.`));
}

// Failures.

function failures({ groups, nights }) {
    const seen = groups.filter(({ finding, state }) => finding || state === "new" || state === "ongoing");
    const causes = d3.nest().key(({ cause }) => cause).entries(seen).map(({ key, values }) => ({
        name: key, groups: values, hits: values.reduce((sum, { rate }) => sum + rate.hits, 0),
        state: ORDER.find((state) => values.some((group) => group.state === state)),
        first: Math.min(...values.map(({ firstSeen }) => firstSeen)),
    }));
    return findingsOf("What failed", causes, {
        draw: (cause) => failure(cause, nights),
        says: ({ groups }) => groups.flatMap(({ fingerprint, acknowledged, finding }) => [fingerprint, acknowledged, finding?.diagnosis?.reason,
            ...(finding?.finding.report.promises ?? []).map(({ sentence }) => sentence)]),
        sorts: [["worth most first", null], ["new first", ({ state }) => ORDER.indexOf(state)], ["most runs", ({ hits }) => -hits],
            ["seen last first", ({ first }) => -first], ["by name", ({ name }) => name]],
    });
}

/** A cause: what its first group says, and the others folded below it. */
function failure({ groups, hits, state, first }, nights) {
    const [{ fingerprint, rate, arm, tool, finding }] = groups;
    const report = finding?.finding.report;
    const { reason, trouble, topology, text } = finding?.diagnosis ?? {};
    const [heading, about, ...story] = whatFailed(fingerprint, report);
    const isKnown = groups.every(({ acknowledged, counts }) => acknowledged || !counts);
    const reasons = [...new Set(groups.map(({ acknowledged }) => acknowledged).filter(Boolean))];
    return element("article", { class: `finding${isKnown ? " known" : ""}` },
        element("div", { class: "title" },
            element("span", { class: `verdict ${state === "new" ? "fail" : "open"}` }, isKnown && reasons.length > 0 ? `${state}, known` : state),
            nights.length > 1 ? trend(nightsOf(groups[0], nights)) : null,
            element("span", { class: "about" }, `${percent(hits, rate.of)} of the runs (${counted(hits, "run")}) · first seen ${day(first)} · ${tool}`
                + (arm ? ` · found by ${arm}` : ""))),
        heading, about,
        reasons.map((words) => element("p", { class: "violation" }, element("strong", {}, "Known: "), words)),
        story,
        finding?.finding.divergence ? element("p", { class: "violation" }, finding.finding.divergence) : null,
        whyOf(reason, trouble), logOf(report?.log),
        topology && text ? scenarioOf({ file: topology, text, change: topology }) : null,
        report ? element("p", { class: "about" }, `First ${report.topology}, seed ${report.seed}, by ${report.scheduler}; `
            + `repeated by processes ${counted(finding.finding.confirmations, "time")}.`) : null,
        groups.length === 1 ? null : element("details", {}, element("summary", {}, counted(groups.length, "way") + " to fail"),
            element("ul", { class: "endings" }, groups.map((group) => element("li", {},
                `${group.fingerprint}: ${group.state}, ${counted(group.rate.hits, "run")}`)))),
        commandsOfRun(report?.replay, topology && text ? { file: topology } : null));
}

/** The nights of a group, with how many runs there were; before it was new there was nothing of it. */
function nightsOf({ nights: hits }, nights) {
    const missing = nights.length - hits.length;
    return nights.map(({ begun, runs }, place) => ({ hits: hits[place - missing] ?? 0, of: runs, day: day(begun) }));
}

/** What earlier nights have seen and this one has not. */
function unseen({ groups, nights }) {
    const rows = groups.filter(({ state }) => state === "rare" || state === "gone").map((group) => element("tr", {},
        element("th", { scope: "row" }, group.fingerprint),
        element("td", {}, element("span", { class: `verdict ${group.state === "gone" ? "pass" : "open"}` }, group.state)),
        element("td", {}, trend(nightsOf(group, nights))),
        element("td", {}, day(group.firstSeen)), element("td", {}, day(group.lastSeen))));
    if (rows.length === 0) return null;
    return element("section", {}, element("h2", {}, "Not seen this time"),
        tableOf("Not seen this time", ["failure", "state", "by night", "first seen", "last seen"], rows).node);
}

function arms({ arms }) {
    const all = arms.reduce((sum, { runs }) => sum + runs, 0);
    const rows = arms.map(({ arm, runs, failing }) => rowOfNumbers(arm, [runs, percent(runs, all), failing]));
    return element("section", {}, element("h2", {}, "What it spent its runs on"),
        tableOf("What it spent its runs on", ["arm", "runs", "share", "failing"], rows, { numbers: 1 }).node);
}

// The soak itself.

function itself({ samples }) {
    if (samples.length < 3) return null;
    const shown = thinned(samples);
    const over = (value) => shown.map((sample, place) => [sample.seconds / 3600, value(sample, shown[Math.max(0, place - 1)])]);
    const isThere = ([, value]) => value !== undefined;
    // The last sample is of a time when workers have ended.
    const named = (pairs) => pairs.map(([words, name]) => ({ words, points: over(({ values }) => values[name]).filter(isThere) }))
        .filter(({ points }) => points.length > 1);
    const whole = (value) => Math.round(value).toLocaleString("en");
    const mebibytes = (value) => `${(value / 1048576).toFixed(value < 1e7 ? 1 : 0)} MiB`;
    const rate = over((sample, before) => (sample.seconds > before.seconds ? (sample.runs - before.runs) / (sample.seconds - before.seconds) : undefined))
        .filter(isThere);
    const charts = [
        chart("Runs a second", [{ words: "at the end", points: rate }], whole),
        chart("Covered", [{ words: "pairs and messages", points: over(({ covered }) => covered) }], whole),
        chart("Memory", named([["the soak", "orchestrator-memory"], ["its workers", "workers-memory"], ["devices", "devices-memory"]]), mebibytes),
        chart("Descriptors and processes", named([["the soak", "orchestrator-descriptors"], ["its workers", "workers-descriptors"],
            ["devices", "devices-descriptors"], ["processes", "processes"]]), whole),
    ];
    return element("section", {}, element("h2", {}, "The soak itself"), element("div", { class: "charts" }, charts));
}

// What was put to the test.

function exercised({ occasions, neverExercised }) {
    const rows = Object.entries(occasions).sort(([, one], [, other]) => other[2] - one[2] || one[1] - other[1])
        .map(([promise, [times, runs, broken]]) => rowOfNumbers(promise, [times, runs, broken]));
    return element("section", {}, element("h2", {}, "What was put to the test"),
        neverExercised.length === 0 ? null : element("details", {},
            element("summary", {}, `${counted(neverExercised.length, "promise")} never`),
            element("p", { class: "about" }, neverExercised.join(", "))),
        element("details", {}, element("summary", {}, `${counted(rows.length, "promise")}, those that broke or had least to do first`),
            tableOf("What was put to the test", ["promise", "times", "runs", "runs that broke it"], rows, { numbers: 1 }).node));
}

// Times.

function day(begun) { return new Date(begun * 1000).toISOString().slice(0, 10); }

function moment(begun) { return new Date(begun * 1000).toISOString().slice(0, 16).replace("T", " "); }

function span(spent) {
    const whole = Math.floor(spent);
    return whole < 60 ? `${spent.toFixed(1)} s` : whole < 3600 ? `${Math.floor(whole / 60)} min ${whole % 60} s`
        : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
