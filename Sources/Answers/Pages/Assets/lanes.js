// What a run was in over time: links, sessions, radios, faults, distances.

/** What became of an NISession with each event of it; nothing where its state stays. */
const SESSION_STATES = {
    "ni.created": "made", "ni.run": "starting", "ni.didStartRunning": "ranging", "ni.didUpdate": "ranging",
    "ni.sessionWasSuspended": "suspended", "ni.sessionSuspensionEnded": "made", "ni.pause": "made",
    "ni.didRemove": "removed", "ni.invalidate": null, "ni.didInvalidate": null,
};

function endOfRun(events) { return d3.max(events, ({ time }) => time) ?? 0; }

/** The lanes of a run, each with its spans: `{from, to, state, event}`. */
function lanesOf(events) {
    const end = endOfRun(events);
    const lanes = new Map();
    const open = new Map();

    function close(key, time) {
        const span = open.get(key);
        if (!span) return;
        span.to = time;
        open.delete(key);
    }
    function enter(key, lane, state, event) {
        if (open.get(key)?.state === state) return;
        close(key, event.time);
        const span = { from: event.time, to: end, state, event };
        open.set(key, span);
        if (!lanes.has(lane.name)) lanes.set(lane.name, { ...lane, spans: [] });
        lanes.get(lane.name).spans.push(span);
    }

    const peers = peersOf(events);
    for (const event of events) {
        const { kind, device, peer, link, niSession } = event;
        if (kind === "air.connected") {
            const [one, other] = [device, peer].sort();
            enter(`link ${link}`, { name: `link ${one}–${other}`, kind: "link", devices: [one, other] },
                "up", event);
        } else if (kind === "air.disconnected") {
            close(`link ${link}`, event.time);
        } else if (Object.hasOwn(SESSION_STATES, kind) && niSession !== undefined) {
            const key = `${device} session ${niSession}`;
            const state = SESSION_STATES[kind];
            if (state === null) close(key, event.time);
            else if (kind !== "ni.didUpdate" || open.get(key)?.state === "starting") {
                enter(key, sessionLane(device, peers.get(key)), state, event);
            }
        } else if (kind === "uwb.started") {
            enter(`${device} radio ${event.value("handle")}`,
                { name: `${device} radio`, kind: "radio", devices: [device] }, "on", event);
        } else if (kind === "uwb.stopped") {
            close(`${device} radio ${event.value("handle")}`, event.time);
        } else if (kind === "device.died" || kind === "app.terminated") {
            for (const key of [...open.keys()]) {
                if (key.startsWith(`${device} `)) close(key, event.time);
            }
        }
    }
    return [...lanes.values()].sort((one, other) => rank(one) - rank(other) || compare(one, other));
}

/** With whom each NISession is: it is made before it knows. */
function peersOf(events) {
    const peers = new Map();
    for (const { device, niSession, peer } of events) {
        if (niSession !== undefined && peer) peers.set(`${device} session ${niSession}`, peer);
    }
    return peers;
}

function sessionLane(device, peer) {
    return { name: peer ? `${device} → ${peer}` : `${device} session`, kind: "session", devices: [device] };
}

function rank(lane) { return ["session", "radio", "link"].indexOf(lane.kind); }
function compare(one, other) { return one.name.localeCompare(other.name, "en", { numeric: true }); }

/** The faults of a run: `{from, to, words, event}`; one without a length has `to` equal to `from`. */
function faultsOf(events) {
    const faults = [];
    const open = new Map();
    for (const event of events) {
        if (!event.kind.startsWith("fault.")) continue;
        const name = event.kind.slice("fault.".length);
        const whom = [event.device || null, event.value("between"), event.value("and")].filter(Boolean);
        const key = `${ENDINGS[name] ?? name} ${whom.join(" ")}`;
        if (event.value("ended") === true || Object.hasOwn(ENDINGS, name)) {
            const fault = open.get(key);
            if (fault) fault.to = event.time;
            open.delete(key);
            continue;
        }
        const fault = { from: event.time, to: event.time, name, words: `${name} ${whom.join("–")}`, event };
        open.set(key, fault);
        faults.push(fault);
    }
    return faults;
}

const ENDINGS = { release: "hold", repair: "partition", thaw: "freeze", restart: "kill" };

/** A line of distances ends where nothing was measured for so long. */
const PAUSE = 1.5e9;

/** What was measured: a series for each device and its peer, `{name, points: [{time, metres}]}`. */
function distancesOf(events) {
    const series = new Map();
    for (const event of events) {
        if (event.kind !== "ni.didUpdate") continue;
        const name = `${event.device} → ${event.peer ?? "?"}`;
        if (!series.has(name)) series.set(name, { name, points: [] });
        const distance = event.value("distance");
        const { points } = series.get(name);
        const before = points[points.length - 1]?.time ?? event.time;
        if (event.time - before > PAUSE) points.push({ time: before, metres: null });
        points.push({ time: event.time, metres: distance === null ? null : distance / 1000 });
    }
    return [...series.values()].sort(compare);
}

/** Numbers that say to whom something belongs, and measure nothing. */
const NAMES = new Set(["link", "session", "ni-session", "pdu", "handle", "incarnation"]);

/** What devices say of themselves in kinds of their own, where it has a number: a chart each, with a series by device. */
function curvesOf(events) {
    const charts = new Map();
    for (const { own, kind, device, names, value, time } of events) {
        if (!own) continue;
        for (const field of names.filter((name) => !NAMES.has(name) && typeof value(name) === "number")) {
            const name = `${kind} ${field}`;
            if (!charts.has(name)) charts.set(name, { name, series: new Map() });
            const { series } = charts.get(name);
            if (!series.has(device)) series.set(device, { name: device, points: [] });
            series.get(device).points.push({ time, metres: value(field) });
        }
    }
    return [...charts.values()].map(({ name, series }) => ({ name, series: [...series.values()].sort(compare) })).sort(compare);
}

/** Rounds of ranging that measured nothing. */
function missesOf(events) {
    return events.filter((event) => event.kind === "uwb.round" && event.value("outcome") === "missed");
}
