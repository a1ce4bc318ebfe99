// The page of a conformance suite: what became of each clause.

function drawPage(suite, body) {
    const tone = { held: "held", violated: "violated" }[suite.verdict] ?? "open";
    body.append(element("main", {},
        element("header", { class: "heading" },
            element("p", { class: "eyebrow" }, "Anechoic · conformance"),
            element("div", { class: "title" },
                element("h1", {}, suite.rests.device ?? "Conformance"),
                element("span", { class: `verdict ${tone}` }, suite.verdict)),
            element("p", { class: "lead" }, suite.conclusion),
            element("ul", { class: "endings" }, suite.reasons.map((words) => element("li", {}, words))),
            tiles(suite)),
        ...broken(suite), clausesOf(suite), ...others(suite)));
}

function tiles({ clauses, runs, searched }) {
    const count = (...results) => clauses.filter(({ result }) => results.includes(result)).length;
    const all = [
        ["pass", count("pass")], ["fail", count("fail", "not kept")], ["not exercised", count("not exercised", "left open")],
        ["not applicable", count("not applicable")], ["not testable", count("not testable")], ["runs", runs],
    ];
    if (searched) all.push([`of them searched (${searched.budget})`, searched.runs]);
    return numbers(all);
}

/** What was broken, with the run that shows it and why. */
function broken({ promises, diagnosed }) {
    const all = promises.filter(({ result }) => result === "violated");
    if (all.length === 0) return [];
    return [element("section", {}, element("h2", {}, "What was broken"), all.map((promise) => {
        const why = diagnosed.find((one) => one.promise === promise.promise);
        const { keeper, violations: [violation] = [] } = promise.first?.promises[0] ?? {};
        return element("article", { class: "finding", id: `promise-${promise.promise}` },
            element("h2", {}, element("span", { class: "cross", "aria-hidden": true }, "✗"), ` ${promise.sentence}`),
            element("p", { class: "about" }, [promise.promise, `${promise.level}`,
                keeper ? `to be kept by ${keeper}` : null, promise.clause].filter(Boolean).join(" · ")),
            promise.first ? element("p", { class: "violation" },
                `${promise.first.topology}, seed ${promise.first.seed}: ${violation?.sentence ?? promise.first.failure ?? ""}`) : null,
            why?.reason ? element("p", { class: "violation" }, element("strong", {}, "Why: "), why.reason) : null,
            why?.trouble ? element("p", { class: "about" }, why.trouble) : null,
            promise.first?.replay ? command(promise.first.replay) : null,
            promise.first?.replay ? command(promise.first.replay.replace(" replay ", " report ")) : null);
    }))];
}

/** The matrix of clauses, by keeper, level and result. */
function clausesOf({ clauses }) {
    const wanted = { keeper: "", level: "", result: "" };
    const told = element("output", { class: "told" });
    const table = tableOf("Clauses", ["clause", "result", "level, keeper", "what it says", "decided by"], [], { kind: "clauses" });
    function show() {
        const shown = clauses.filter((clause) => Object.entries(wanted).every(([key, value]) => !value || clause[key] === value));
        table.show(shown.map(rowOf));
        told.textContent = `${shown.length} of ${counted(clauses.length, "clause")}`;
    }
    const picker = (label, key) => choice(label, [["", "all"], ...[...new Set(clauses.map((clause) => clause[key]))]
        .map((value) => [value, value])], (value) => {
        wanted[key] = value;
        show();
    });
    show();
    return element("section", {}, element("div", { class: "bar" }, element("h2", {}, "Clause by clause"), told),
        element("form", { class: "filters", "aria-label": "Which clauses are shown" },
            element("div", { class: "choices" }, picker("Result", "result"), picker("Level", "level"), picker("Keeper", "keeper"))),
        table.node);
}

function rowOf({ clause, level, keeper, result, statement, promises, broken, untestable, decided, replay, exercised, runs }) {
    const tone = { pass: "pass", fail: "fail", "not kept": "open", "left open": "open", "not exercised": "open" }[result] ?? "";
    return element("tr", {},
        element("th", { scope: "row", class: "id" }, clause),
        element("td", {}, element("span", { class: `verdict ${tone}` }, result)),
        element("td", {}, level, element("br"), element("span", { class: "about" }, keeper)),
        element("td", {}, statement,
            element("div", { class: "about" }, untestable ?? promisesOf(promises, broken))),
        element("td", {}, decided ? `${decided.topology}, seed ${decided.seed}` : exercised > 0 ? "the search" : "–",
            exercised > 0 ? element("div", { class: "about" }, `tested ${counted(exercised, "time")} in ${counted(runs, "run")}`) : null,
            replay ? command(replay) : null));
}

function promisesOf(promises, broken) {
    return promises.flatMap((name, place) => [place > 0 ? ", " : "",
        broken.includes(name) ? element("a", { href: `#promise-${name}` }, `${name} (broken)`) : name]);
}

function others({ warnings, differences, notPlayed, rests }) {
    const lists = [
        ["Recommended, and not kept", warnings], ["Shown, and claimed otherwise", differences],
        ["Not played", notPlayed.map(({ name, reason }) => `${name}: ${reason}`)],
        ["What this rests on", Object.entries(rests).map(([name, value]) => `${name}: ${value}`)],
    ];
    return lists.filter(([, lines]) => lines.length > 0).map(([words, lines]) => element("section", {},
        element("h2", {}, words), element("ul", { class: "endings" }, lines.map((line) => element("li", {}, line)))));
}
