// The panel that says all that is known of one event.

/** Makes the panel; `go` is called with the event that a reader asks for. */
function detailPanel(go) {
    const panel = element("section", { class: "detail", "aria-label": "Event", "aria-live": "polite" });
    const empty = element("p", { class: "quiet" },
        "Choose an event in the diagram to see its fields and, of a message, its bytes.");
    panel.append(empty);
    return {
        panel,
        show(event, side) { panel.replaceChildren(...(event ? describe(event, side, go) : [empty])); },
    };
}

function describe(event, side, go) {
    const { device, kind, number, time, step } = event;
    const about = [`${decimal(time, 6)} s`, ...(event.isLog ? ["a line of its log"] : [`event ${number}`, `step ${step}`])];
    if (event.observed) about.push("as the device itself says");
    return [
        element("h3", {}, device ? `${event.label} ` : event.label,
            device ? element("span", { class: "on" }, `on ${device}`) : null),
        element("p", { class: "about" }, about.join(" · ")),
        element("p", { class: "kind" }, element("code", {}, kind)),
        ...notes(event, side).map((words) => element("p", { class: "note" }, words)),
        bytesOf(event), fieldsOf(event), others(event, go), stop(event, side),
    ].filter(Boolean);
}

/** What this event proves, or with what it races. */
function notes(event, side) {
    const proves = side.facts.broken
        .filter(({ violations }) => violations.some(({ events }) => events.includes(event.number)))
        .map(({ promise }) => `Proves that ${promise} is broken.`);
    const races = side.facts.marks.filter(({ event: number }) => number === event.number).map(({ words }) => words);
    return [...proves, ...races, ...(isLost(event) ? ["It never arrives."] : [])];
}

function bytesOf(event) {
    const parts = partsOf(event);
    if (parts.length === 0) return null;
    const count = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const rows = parts.map(({ at, bytes, name, meaning }) => element("tr", {},
        element("td", { class: "at" }, String(at)),
        element("td", { class: "bytes" }, bytes.join(" ")),
        element("td", {}, element("span", { class: "name" }, name), meaning ? element("br") : null, meaning)));
    const spoilt = event.value("spoilt") === true
        ? element("p", { class: "note" }, "A fault changed the bytes of this message.") : null;
    return element("div", {}, element("h4", {}, `Message, ${counted(count, "byte")}`), spoilt,
        element("table", { class: "message" },
            element("thead", {}, element("tr", {}, ["at", "bytes", "meaning"].map(
                (words) => element("th", { scope: "col" }, words)))),
            element("tbody", {}, rows)));
}

function fieldsOf(event) {
    if (event.names.length === 0) return null;
    const list = event.names.flatMap((name) => [
        element("dt", {}, name), element("dd", {}, inWords(event.value(name), name)),
    ]);
    return element("div", {}, element("h4", {}, "Fields"), element("dl", {}, list));
}

/** The other end of an arrow. */
function others(event, go) {
    const ends = [["It left at", event.departure], ["It arrives at", event.arrival]].filter(([, end]) => end);
    return ends.length === 0 ? null : element("p", {}, ends.map(([words, end]) => [
        `${words} `,
        element("button", { type: "button", class: "link", onclick: () => go(end) },
            `${decimal(end.time, 6)} s on ${end.device}, event ${end.number}`), ". "]).flat());
}

/** The command that stops a replay at this event. */
function stop(event, side) {
    if (!side.facts.replay || event.isLog) return null;
    return element("div", {}, element("h4", {}, "Stop there"),
        command(`${side.facts.replay} --event ${event.number}`));
}
