// The whole run from left to right: sessions, radios, links, faults, distances, and where it broke.

/** Lanes are so high at most, and at least; many of them share the room that there is for all. */
const LANE = 20, LEAST_LANE = 13, LANES = 420;
const CHART = 96, CURVE = 62, AXIS = 24, RIGHT = 22;
/** The most charts of numbers that devices say themselves. */
const CURVES = 6;

/** Makes the timeline of a run; `go` is called with the moment that a reader asks for. */
function timeline(side, go) {
    const svg = d3.create("svg").attr("role", "img").attr("aria-label", summary(side));
    const node = element("div", {
        class: "timeline", tabindex: "0", role: "group",
        "aria-label": `Timeline of ${side.words}: plus and minus zoom, left and right pan, 0 shows all`,
    }, svg.node(), element("ul", { class: "hidden" }, spoken(side).map((words) => element("li", {}, words))));
    const end = Math.max(1, side.end);
    const whole = d3.scaleLinear().domain([0, end]);
    let scale = whole.copy(), sight = [0, 0];

    const zoom = d3.zoom().scaleExtent([1, Math.max(1, end / 1e6)])
        // A page is scrolled by the wheel and by one finger.
        .filter(() => (d3.event.type === "wheel" ? d3.event.ctrlKey || d3.event.metaKey
            : d3.event.touches ? d3.event.touches.length > 1 : !d3.event.button))
        .on("zoom", () => {
            scale = d3.event.transform.rescaleX(whole);
            draw();
        });
    function draw() {
        const width = node.clientWidth;
        if (width === 0) return;
        const gutter = width < 480 ? 88 : 150;
        whole.range([gutter, width - RIGHT]);
        scale.range([gutter, width - RIGHT]);
        const height = drawTimeline(svg, side, { scale, width, gutter, sight });
        zoom.extent([[gutter, 0], [width - RIGHT, height]]).translateExtent([[gutter, 0], [width - RIGHT, height]]);
        node.dataset.from = Math.round(scale.domain()[0]);
        node.dataset.to = Math.round(scale.domain()[1]);
    }
    svg.call(zoom).on("dblclick.zoom", null);
    /** Zooms around what the diagram shows, where that is in sight. */
    function zoomBy(factor) {
        const [left, right] = scale.range();
        const middle = scale((sight[0] + sight[1]) / 2);
        const x = middle >= left && middle <= right ? middle : (left + right) / 2;
        svg.call(zoom.scaleBy, factor, [x, 0]);
    }
    svg.on("click", () => {
        if (!d3.event.defaultPrevented) go(scale.invert(d3.mouse(svg.node())[0]));
    });
    const keys = {
        "+": () => zoomBy(1.5), "=": () => zoomBy(1.5), "-": () => zoomBy(1 / 1.5), 0: () => svg.call(zoom.transform, d3.zoomIdentity),
        ArrowLeft: () => pan(1), ArrowRight: () => pan(-1),
    };
    function pan(direction) {
        const transform = d3.zoomTransform(svg.node());
        svg.call(zoom.translateBy, (direction * node.clientWidth) / 6 / transform.k, 0);
    }
    node.addEventListener("keydown", (event) => {
        if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        keys[event.key]();
    });
    onAppearance(node, draw);
    return {
        node,
        zoomBy,
        showAll() { svg.call(zoom.transform, d3.zoomIdentity); },
        /** Which moments the sequence diagram shows. */
        mark(times) {
            sight = times;
            markSight(svg, scale, sight);
        },
    };
}

function drawTimeline(svg, side, { scale, width, gutter, sight }) {
    const { lanes, faults, distances } = side;
    const charts = chartsOf(side);
    const lane = Math.max(LEAST_LANE, Math.min(LANE, Math.floor(LANES / lanes.length)));
    const tops = { faults: AXIS + 14, lanes: AXIS + 14 + (faults.length > 0 ? LANE + 4 : 0) };
    tops.chart = tops.lanes + lanes.length * lane + 12;
    let height = tops.chart;
    for (const chart of charts) {
        chart.top = height;
        height += chart.height + 8;
    }
    svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
    const layers = ["axis", "sight", "rows", "bands", "spans", "chart", "faults", "names", "breaks"];
    svg.selectAll("g.layer").data(layers).enter().append("g").attr("class", (name) => `layer ${name}`);
    const layer = (name) => svg.select(`g.layer.${name}`);
    layer("axis").attr("transform", `translate(0,${AXIS})`)
        .call(d3.axisTop(scale).ticks(Math.max(2, (width - gutter) / 90)).tickSizeOuter(0)
            .tickFormat((time) => tickText(time, scale)));
    drawNamesOfLanes(layer("names"), side, tops, { width, gutter, lane, charts });
    drawSpans(layer("spans"), lanes, scale, tops.lanes, lane);
    drawBandsOf(layer("bands"), faults, scale, height);
    drawFaults(layer("faults"), faults, scale, tops.faults);
    drawCharts(layer("chart"), layer("names"), charts, scale, gutter);
    drawBreaks(layer("breaks"), side, scale, height);
    layer("sight").selectAll("rect").data([0]).enter().append("rect").attr("y", AXIS);
    layer("sight").select("rect").attr("height", height - AXIS);
    markSight(svg, scale, sight);
    return height;
}

/** As many decimals as tell one tick from the next. */
function tickText(time, scale) {
    const [from, to] = scale.domain();
    const decimals = Math.max(0, Math.min(6, Math.ceil(1 - Math.log10((to - from) / 1e9 / 5))));
    return `${(time / 1e9).toFixed(decimals)} s`;
}

function markSight(svg, scale, [from, to]) {
    const [left, right] = scale.range();
    const [x, end] = [Math.max(left, scale(from)), Math.min(right, scale(to))];
    svg.select("g.layer.sight rect").attr("x", x).attr("width", Math.max(0, end - x));
}

/** What is drawn as curves: distances, and what devices say of themselves in numbers. */
function chartsOf({ distances, misses, curves }) {
    const ofRanging = { name: "distance [m]", series: distances, misses, height: CHART, isStep: false };
    return [...(distances.length > 0 ? [ofRanging] : []),
        ...curves.slice(0, CURVES).map((curve) => ({ ...curve, misses: [], height: CURVE, isStep: true }))];
}

function drawNamesOfLanes(layer, { lanes, faults }, tops, { width, gutter, lane, charts }) {
    const names = lanes.map(({ name }, place) => ({ name, y: tops.lanes + (place + 0.5) * lane }));
    if (faults.length > 0) names.push({ name: "faults", y: tops.faults + LANE / 2 });
    names.push(...charts.map(({ name, top }) => ({ name, y: top + 8 })));
    layer.selectAll("rect").data([[0, gutter - 1], [width - RIGHT + 1, RIGHT]]).join("rect").attr("class", "ground")
        .attr("x", ([x]) => x).attr("width", ([, room]) => room).attr("y", AXIS + 1).attr("height", "100%");
    layer.selectAll("text.name").data(names).join("text").attr("class", "name").attr("x", 0).attr("y", ({ y }) => y).attr("dy", "0.35em")
        .text(({ name }) => cut(name, gutter < 100 ? 13 : 22)).append("title").text(({ name }) => name);
}

function cut(text, most) { return text.length > most ? `${text.slice(0, most - 1)}…` : text; }

function drawSpans(layer, lanes, scale, top, height) {
    const [left, right] = scale.range();
    const spans = lanes.flatMap(({ spans, kind }, place) => spans.map((span) => ({ ...span, kind, place })))
        .filter(({ from, to }) => scale(to) >= left && scale(from) <= right);
    layer.selectAll("rect").data(spans).join("rect")
        .attr("class", ({ state }) => `state ${state}`)
        .attr("x", ({ from }) => Math.max(left, scale(from)))
        .attr("width", ({ from, to }) => Math.max(1.5, Math.min(right, scale(to)) - Math.max(left, scale(from))))
        .attr("y", ({ place, kind }) => top + place * height + height * (kind === "session" ? 0.2 : 0.35))
        .attr("height", ({ kind }) => height * (kind === "session" ? 0.6 : 0.3))
        .selectAll("title").data((span) => [span]).join("title")
        .text(({ state, from, to }) => `${state}, ${seconds(from)} to ${seconds(to)}`);
}

/** Faults that last, behind everything. */
function drawBandsOf(layer, faults, scale, height) {
    const [left, right] = scale.range();
    layer.selectAll("rect").data(faults.filter(({ from, to }) => to > from)).join("rect")
        .attr("class", ({ name }) => `band ${name === "obstruct" ? "obstruct" : ""}`)
        .attr("x", ({ from }) => Math.max(left, scale(from)))
        .attr("width", ({ from, to }) => Math.max(0, Math.min(right, scale(to)) - Math.max(left, scale(from))))
        .attr("y", AXIS).attr("height", height - AXIS);
}

function drawFaults(layer, faults, scale, top) {
    const [left, right] = scale.range();
    const inSight = faults.filter(({ from }) => scale(from) >= left && scale(from) <= right);
    const marks = layer.selectAll("path").data(inSight).join("path")
        .attr("class", "fault").attr("d", "M0,-6 L5,4 L-5,4 Z")
        .attr("transform", ({ from }) => `translate(${scale(from)},${top + LANE / 2})`);
    marks.selectAll("title").data((fault) => [fault]).join("title")
        .text(({ words, from, to }) => `${words} at ${seconds(from)}${to > from ? ` until ${seconds(to)}` : ""}`);
    // A name where there is room up to the next fault.
    const named = inSight.filter(({ from, words }, place) => {
        const next = inSight[place + 1];
        const until = next ? scale(next.from) : right + 40;
        return scale(from) + 12 + words.length * 6.4 < until;
    });
    layer.selectAll("text").data(named).join("text").attr("class", "fault")
        .attr("x", ({ from }) => scale(from) + 9).attr("y", top + LANE / 2).attr("dy", "0.35em")
        .text(({ words }) => words);
}

function drawCharts(layer, names, charts, scale, gutter) {
    const [from, to] = scale.domain(), [left, right] = scale.range();
    const ticks = [], curves = [], strokes = [];
    for (const { series, misses, top, height, isStep } of charts) {
        const values = series.flatMap(({ points }) => points.map(({ metres }) => metres));
        const most = d3.max(values) ?? 1, least = Math.min(0, d3.min(values) ?? 0);
        const y = d3.scaleLinear().domain([least, most > least ? most + (most - least) * 0.1 : least + 1]).nice(4)
            .range([top + height - 10, top + 6]);
        const line = d3.line().defined(({ metres }) => metres !== null).curve(isStep ? d3.curveStepAfter : d3.curveLinear)
            .x(({ time }) => scale(time)).y(({ metres }) => y(metres));
        ticks.push(...y.ticks(3).map((value) => ({ value, y: y(value) })));
        series.forEach(({ name, points }, place) => curves.push({ name, place, path: line(thinned(points, from, to, right - left)) }));
        strokes.push(...new Set(misses.filter(({ time }) => time >= from && time <= to)
            .map(({ time }) => `M${Math.round(scale(time))},${top + height - 8}v7`)));
    }
    layer.selectAll("line.grid").data(ticks).join("line").attr("class", "grid")
        .attr("x1", left).attr("x2", right).attr("y1", ({ y }) => y).attr("y2", ({ y }) => y);
    names.selectAll("text.tick").data(ticks).join("text").attr("class", "tick")
        .attr("x", gutter - 8).attr("y", ({ y }) => y).attr("dy", "0.35em").text(({ value }) => value);
    layer.selectAll("path.distance").data(curves).join("path").attr("class", ({ place }) => `distance n${place % 4}`)
        .attr("d", ({ path }) => path).selectAll("title").data(({ name }) => [name]).join("title").text((name) => name);
    layer.selectAll("path.miss").data([strokes]).join("path").attr("class", "miss").attr("d", (all) => all.join(""));
}

/** The points in sight, at most the least and the greatest of each pixel. */
function thinned(points, from, to, width) {
    const time = d3.bisector((point) => point.time);
    const inSight = points.slice(Math.max(0, time.left(points, from) - 1), time.right(points, to) + 1);
    if (inSight.length <= 2 * width) return inSight;
    const bin = Math.ceil(inSight.length / width);
    const thin = [];
    for (let place = 0; place < inSight.length; place += bin) {
        const some = inSight.slice(place, place + bin);
        const [least, most] = [d3.scan(some, byMetres), d3.scan(some, (one, other) => byMetres(other, one))];
        thin.push(...[...new Set([least, most])].sort((one, other) => one - other).map((index) => some[index]));
    }
    return thin;
}

function byMetres(one, other) { return (one.metres ?? -1) - (other.metres ?? -1); }

function drawBreaks(layer, { breaks }, scale, height) {
    const [left, right] = scale.range();
    const inSight = breaks.filter(({ time }) => scale(time) >= left && scale(time) <= right + 1);
    layer.selectAll("line").data(inSight).join("line").attr("class", "break")
        .attr("x1", ({ time }) => scale(time)).attr("x2", ({ time }) => scale(time))
        .attr("y1", AXIS).attr("y2", height);
    layer.selectAll("text").data(inSight.slice(0, 1)).join("text").attr("class", "break")
        .attr("x", ({ time }) => scale(time) + (scale(time) > (left + right) / 2 ? -6 : 6))
        .attr("y", AXIS + 11).attr("text-anchor", ({ time }) => (scale(time) > (left + right) / 2 ? "end" : "start"))
        .text(({ words }) => `✗ ${words}`);
}

/** What somebody hears who does not see the timeline. */
function summary({ words, lanes, faults, breaks }) {
    const parts = [`Timeline of ${words}`, counted(lanes.length, "lane"), counted(faults.length, "fault")];
    return `${parts.join(", ")}${breaks.map((one) => `; ${one.words} is broken at ${seconds(one.time)}`).join("")}`;
}

function spoken({ lanes, faults }) {
    const spans = lanes.flatMap(({ name, spans }) =>
        spans.map(({ state, from, to }) => `${name}: ${state} from ${seconds(from)} to ${seconds(to)}`));
    return [...faults.map(({ words, from }) => `fault: ${words} at ${seconds(from)}`), ...spans].slice(0, 80);
}
