// What was measured again and again, as curves over the time of a soak, and as bars by night.

const CURVE = { height: 150, left: 64, right: 12, top: 10, bottom: 24 };

/** A chart of one or more curves; `curves` are `{ words, points: [[hours, value], …] }`, `say` words a value. */
function chart(title, curves, say) {
    const svg = d3.create("svg").attr("role", "img").attr("aria-label", `${title}: ${curves.map((curve) => spokenCurve(curve, say)).join("; ")}`);
    const plot = element("div", { class: "plot" }, svg.node());
    onAppearance(plot, () => drawCurves(svg, curves, say, plot.clientWidth));
    return element("figure", { class: "chart" },
        element("figcaption", {}, title),
        plot,
        element("ul", { class: "legend" }, curves.map(({ words, points }, place) => element("li", {},
            element("span", { class: `swatch n${place}` }), `${words}: ${say(last(points))}`))));
}

function last(points) { return points[points.length - 1][1]; }

function spokenCurve({ words, points }, say) {
    const values = points.map(([, value]) => value);
    return `${words} from ${say(values[0])} to ${say(last(points))}, at most ${say(Math.max(...values))}`;
}

function drawCurves(svg, curves, say, width) {
    if (width === 0) return;
    const { height, left, right, top, bottom } = CURVE;
    const all = curves.flatMap(({ points }) => points);
    const x = d3.scaleLinear().domain(d3.extent(all, ([time]) => time)).range([left, width - right]);
    const y = d3.scaleLinear().domain([0, d3.max(all, ([, value]) => value) || 1]).nice(4).range([height - bottom, top]);
    const line = d3.line().x(([time]) => x(time)).y(([, value]) => y(value));
    svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
    svg.selectAll("*").remove();
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
        .call(d3.axisBottom(x).ticks(Math.max(2, width / 100)).tickSizeOuter(0).tickFormat(timeOf(x)));
    svg.append("g").attr("class", "axis rules").attr("transform", `translate(${left},0)`)
        .call(d3.axisLeft(y).ticks(4).tickSize(left + right - width).tickFormat(say)).select(".domain").remove();
    svg.selectAll("path.curve").data(curves).enter().append("path")
        .attr("class", (_, place) => `curve n${place}`).attr("d", ({ points }) => line(points));
}

/** Hours as hours, and where all of it is less, as minutes or seconds. */
function timeOf(scale) {
    const end = scale.domain()[1];
    const [unit, word] = end >= 2 ? [1, "h"] : end >= 1 / 30 ? [60, "min"] : [3600, "s"];
    return (time) => `${+(time * unit).toFixed(2)} ${word}`;
}

/** At most so many of them, evenly spread, and the last: more than there are pixels say nothing. */
function thinned(samples, most = 400) {
    const step = Math.ceil(samples.length / most);
    return samples.filter((_, place) => place % step === 0 || place === samples.length - 1);
}

/** How often something happened in each night, as bars; `nights` are `{ hits, of, day }`, oldest first. */
function trend(nights) {
    const [step, height] = [9, 30];
    const shares = nights.map(({ hits, of }) => (of === 0 ? 0 : hits / of));
    const most = Math.max(...shares) || 1;
    const words = nights.map(({ hits, of, day }) => `${day}: ${hits.toLocaleString("en")} of ${of.toLocaleString("en")}`);
    const svg = d3.create("svg").attr("class", "trend").attr("role", "img").attr("aria-label", `By night: ${words.join("; ")}`)
        .attr("width", step * nights.length).attr("height", height);
    const bar = svg.selectAll("rect").data(shares).enter().append("rect")
        .attr("class", (share, place) => (share === 0 ? "none" : place === shares.length - 1 ? "latest" : null))
        .attr("x", (_, place) => step * place).attr("width", step - 2)
        .attr("height", (share) => (share === 0 ? 2 : Math.max(4, (height * share) / most)))
        .attr("y", (share) => height - (share === 0 ? 2 : Math.max(4, (height * share) / most)));
    bar.append("title").text((_, place) => words[place]);
    return svg.node();
}
