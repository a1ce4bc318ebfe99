// The events of a run, from the rows that a page carries.

/** Flags of a row. */
const OBSERVED = 1, USUAL = 2, OWN = 4;

/**
 * Reads the table of a run: an object for each event, in the sequence of the trace, and behind them one for each line
 * of a log, which has no number in the trace.
 */
function readTrace({ words, shapes, events: rows }, logs) {
    const places = shapes.map(([, ...names]) =>
        Object.fromEntries(names.map((name, place) => [name, place + 6])));
    let time = 0, step = 0;
    const events = rows.map((row, number) => {
        time += row[0];
        step += row[1];
        const at = places[row[2]];
        const value = (name) => (name in at ? row[at[name]] : undefined);
        const kind = shapes[row[2]][0];
        return {
            number, time, step, kind, device: words[row[3]], label: words[row[4]],
            observed: (row[5] & OBSERVED) !== 0, usual: (row[5] & USUAL) !== 0, own: (row[5] & OWN) !== 0,
            peer: value("peer"), link: value("link"), session: value("session"),
            niSession: value("ni-session"),
            value, names: shapes[row[2]].slice(1),
        };
    });
    joinArrows(events);
    return [...events, ...logs.map(({ device, time, text }, place) => ({
        number: events.length + place, time, device, kind: "log", label: text, isLog: true, usual: true, names: [], value: () => undefined,
    }))];
}

/** Lays each message and each link's news from its one end to its other. */
function joinArrows(events) {
    const underWay = new Map();
    for (const event of events) {
        const end = endOf(event);
        if (!end) continue;
        const waiting = underWay.get(end.key) ?? [];
        const first = end.leaves ? undefined : waiting.shift();
        if (first) {
            first.arrival = event;
            event.departure = first;
        } else if (end.begins) {
            waiting.push(event);
        }
        underWay.set(end.key, waiting);
    }
}

/** Which end of which arrow an event is; nothing where it is none. */
function endOf({ kind, device, peer, link, session, value }) {
    if (!peer) return null;
    if (kind.endsWith(".sent") || kind.endsWith(".received")) {
        const leaves = kind.endsWith(".sent");
        const [from, to] = leaves ? [device, peer] : [peer, device];
        const name = kind.slice(0, kind.lastIndexOf("."));
        const key = [name, link, session, value("pdu"), value("message"), from, to].join("\n");
        return { key, leaves, begins: leaves };
    }
    // Both hosts learn of a link; whoever does first begins the arrow.
    if (kind === "link.up" || kind === "link.down") {
        return { key: [kind, link].join("\n"), leaves: false, begins: true };
    }
    return null;
}

/** Whether an event is a message or an attribute that left, and never arrived. */
function isLost(event) {
    return event.kind.startsWith("msg.") && event.kind.endsWith(".sent") && !event.arrival;
}

/** The value of a field in words. */
function inWords(value, name) {
    if (value === null) return "nothing";
    if (value === undefined) return "";
    if (typeof value === "object") return "h" in value ? value.h : value.n;
    if (typeof value !== "number") return String(value);
    if (DURATIONS.has(name)) return seconds(value);
    if (name === "distance") return `${(value / 1000).toFixed(3)} m`;
    if (name === "azimuth" || name === "elevation") return `${(value / 100).toFixed(2)}°`;
    return String(value);
}

const DURATIONS = new Set(["interval", "timeout", "length-of-run", "by"]);
