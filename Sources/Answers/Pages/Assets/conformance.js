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
            tiles(suite)),
        broken(suite), clausesOf(suite), ...others(suite)));
}

function tiles({ causes, clauses, runs, searched }) {
    const count = (...results) => clauses.filter(({ result }) => results.includes(result)).length;
    const all = [
        ["causes", causes.length], ["clauses that fail", count("fail")], ["not kept", count("not kept")], ["pass", count("pass")],
        ["not exercised", count("not exercised", "left open")], ["not applicable", count("not applicable")],
        ["not testable", count("not testable")], ["runs", runs],
    ];
    if (searched) all.push([`of them searched (${searched.budget})`, searched.runs]);
    return numbers(all);
}

/** What was broken, cause by cause. */
function broken({ causes }) {
    return findingsOf("What was broken", causes, {
        draw: causeOf,
        says: ({ breaches, why }) => [why, ...breaches.flatMap(({ promise, statement, sentence, clauses }) =>
            [promise, statement, sentence, ...clauses.map(({ id }) => id)])],
        sorts: [["gravest first", null], ["most runs", ({ breaches }) => -breaches[0].runs], ["by name", ({ breaches }) => breaches[0].promise]],
    });
}

function causeOf({ breaches, fails, first, scenario, why, trouble }) {
    const [head, ...more] = breaches;
    const clauses = breaches.flatMap(({ clauses }) => clauses);
    return element("article", { class: `finding${fails ? "" : " known"}` },
        breaches.map(({ promise }) => element("a", { id: `promise-${promise}` })),
        element("h2", {}, element("span", { class: "cross", "aria-hidden": true }, "✗"), ` ${head.sentence}`),
        element("p", { class: "about" }, [head.promise, head.level, head.keeper ? `to be kept by ${head.keeper}` : null,
            `in ${head.runs.toLocaleString("en")} of ${counted(head.of, "run")}`,
            first ? `first ${first.topology}, seed ${first.seed}` : null].filter(Boolean).join(" · ")),
        element("p", { class: "violation" }, head.statement),
        whyOf(why, trouble), logOf(first?.log), scenarioOf(scenario),
        element("details", {}, element("summary", {}, [clauses.length > 0 ? counted(clauses.length, "clause") : null,
            counted(breaches.length, "promise")].filter(Boolean).join(", ") + " broken"),
            element("ul", { class: "endings" }, clauses.map(({ id, level, statement }) => element("li", {}, `${id} (${level}): ${statement}`))),
            element("ul", { class: "endings" }, more.map(({ promise, runs, sentence }) =>
                element("li", {}, `${promise}, in ${counted(runs, "run")}: ${sentence}`)))),
        commandsOfRun(first?.replay, scenario));
}

/** In which sequence results stand, and which of them are unfolded. */
const RESULTS = ["fail", "not kept", "left open", "not exercised", "pass", "not applicable", "not testable"];
const TO_LOOK_AT = 3;

/** The clauses, folded by result, narrowed by keeper, level, result and words. */
function clausesOf({ clauses }) {
    const wanted = { keeper: "", level: "", result: "" };
    let words = "";
    const told = element("output", { class: "told" });
    const folds = element("div", {});
    const fits = (clause) => Object.entries(wanted).every(([key, value]) => !value || clause[key] === value)
        && [clause.clause, clause.statement, ...clause.promises].some((text) => text.toLowerCase().includes(words));
    function show() {
        const shown = clauses.filter(fits);
        const isNarrowed = words !== "" || Object.values(wanted).some(Boolean);
        folds.replaceChildren(...RESULTS.flatMap((result, place) => {
            const some = shown.filter((clause) => clause.result === result);
            if (some.length === 0) return [];
            const table = tableOf(`Clauses: ${result}`, ["clause", "result", "level, keeper", "what it says", "decided by"],
                some.map(rowOf), { kind: "clauses" });
            return [element("details", { open: isNarrowed || place < TO_LOOK_AT },
                element("summary", {}, `${result}: ${counted(some.length, "clause")}`), table.node)];
        }));
        told.textContent = `${shown.length} of ${counted(clauses.length, "clause")}`;
    }
    const picker = (label, key) => choice(label, [["", "all"], ...[...new Set(clauses.map((clause) => clause[key]))]
        .map((value) => [value, value])], (value) => {
        wanted[key] = value;
        show();
    });
    show();
    return element("section", {}, element("div", { class: "bar" }, element("h2", {}, "Clause by clause"), told),
        element("form", { class: "filters", "aria-label": "Which clauses are shown", onsubmit: (event) => event.preventDefault() },
            element("div", { class: "choices" }, searchBox("Search clauses", (text) => {
                words = text;
                show();
            }), picker("Result", "result"), picker("Level", "level"), picker("Keeper", "keeper"))),
        folds);
}

function rowOf({ clause, level, keeper, result, statement, promises, broken, untestable, decided, exercised, runs }) {
    const tone = { pass: "pass", fail: "fail", "not kept": "open", "left open": "open", "not exercised": "open" }[result] ?? "";
    return element("tr", {},
        element("th", { scope: "row", class: "id" }, clause),
        element("td", {}, element("span", { class: `verdict ${tone}` }, result)),
        element("td", {}, level, element("br"), element("span", { class: "about" }, keeper)),
        element("td", {}, statement,
            element("div", { class: "about" }, untestable ?? promisesOf(promises, broken))),
        element("td", {}, decided ? `${decided.topology}, seed ${decided.seed}` : exercised > 0 ? "the search" : "–",
            exercised > 0 ? element("div", { class: "about" }, `tested ${counted(exercised, "time")} in ${counted(runs, "run")}`) : null));
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
        element("details", { open: lines.length < 4 }, element("summary", {}, element("h2", { class: "inline" }, `${words} (${lines.length})`)),
            element("ul", { class: "endings" }, lines.map((line) => element("li", {}, line))))));
}
