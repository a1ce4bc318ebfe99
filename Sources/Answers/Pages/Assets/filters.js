// Which events are drawn.

/** The groups that a reader switches, by what is usual: an event is in exactly one. */
const GROUPS = [
    { name: "Log", isOn: true, has: ({ isLog }) => isLog === true },
    { name: "Messages", isOn: true, has: (event) => event.usual && event.kind.startsWith("msg.") },
    { name: "Links", isOn: true, has: (event) => event.usual && event.kind.startsWith("link.") },
    { name: "Distances", isOn: false, has: ({ kind }) => kind === "ni.didUpdate" || kind === "uwb.round" },
    { name: "Sessions", isOn: true, has: (event) => event.usual && event.kind.startsWith("ni.") },
    { name: "Radio", isOn: true, has: (event) => event.usual && event.kind.startsWith("uwb.") },
    { name: "App", isOn: true, has: (event) => event.usual && /^(app|system|accessory|user)\./.test(event.kind) },
    { name: "Script, faults", isOn: true, has: (event) => event.usual && /^(script|fault)\./.test(event.kind) },
    { name: "Attributes", isOn: false, has: ({ kind }) => /^(att|gatt)\./.test(kind) },
    { name: "Others", isOn: true, has: (event) => event.usual },
    { name: "The rest", isOn: false, has: () => true },
];

/**
 * Makes the filter of events, and the form that sets it; `onchange` is called when it changes.
 *
 * Of several sides the first one says what there is to choose from.
 */
function eventFilter(sides, onchange) {
    const [{ events, facts: { devices } }] = sides;
    const counts = GROUPS.map(() => 0);
    for (const event of sides.flatMap((side) => side.events)) {
        event.group = GROUPS.findIndex((group) => group.has(event));
    }
    for (const { group } of events) counts[group] += 1;
    const usual = () => ({
        groups: GROUPS.map((group) => group.isOn), device: "", link: "", session: "", words: "",
    });
    let chosen = usual();

    function includes(event) {
        return (chosen.words ? `${event.label} ${event.kind}`.toLowerCase().includes(chosen.words) : chosen.groups[event.group])
            && (!chosen.device || !event.device || [event.device, event.peer].includes(chosen.device))
            && (!chosen.link || String(event.link) === chosen.link)
            && (!chosen.session || sessionsOf(event).includes(chosen.session));
    }

    const form = element("form", { class: "filters", "aria-label": "Which events are drawn" });
    const told = element("output", { class: "told" });
    function change(update) {
        update(chosen);
        onchange();
    }
    function fill() {
        form.replaceChildren(
            element("fieldset", {}, element("legend", { class: "hidden" }, "Kinds"),
                GROUPS.map(({ name }, place) => counts[place] === 0 ? null
                    : chip(name, counts[place], chosen.groups[place],
                        (isOn) => change((now) => { now.groups[place] = isOn; })))),
            element("div", { class: "choices" },
                searchBox("Search events and logs", (words) => change((now) => { now.words = words; })),
                picker("Device", "device", devices.map(({ name }) => [name, name])),
                picker("Link", "link", distinct(events.map(({ link }) => link)).map((link) => [link, `link ${link}`])),
                picker("Session", "session", distinct(events.flatMap(sessionsOf)).map((name) => [name, name])),
                element("button", { type: "reset" }, "Reset"), told));
    }
    function picker(label, name, options) {
        if (options.length < 2) return null;
        return choice(label, [["", "all"], ...options], (value) => change((now) => { now[name] = value; }));
    }
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", (event) => {
        event.preventDefault();
        chosen = usual();
        fill();
        onchange();
    });
    fill();
    return {
        form, includes,
        tell(drawn, all) { told.textContent = `${drawn.toLocaleString("en")} of ${counted(all, "event")}`; },
    };
}

/** The sessions that an event belongs to, by the names that a reader chooses. */
function sessionsOf({ session, niSession, device }) {
    const names = [];
    if (typeof session === "number") names.push(`protocol session ${session}`);
    if (typeof niSession === "number") names.push(`${device}, NISession ${niSession}`);
    return names;
}

function distinct(values) {
    return [...new Set(values.filter((value) => value !== undefined && value !== null))]
        .sort((one, other) => String(one).localeCompare(String(other), "en", { numeric: true }));
}
