// Where the rows of a sequence diagram stand: pure functions from events to heights.

/** Heights of rows at a zoom of 1, in pixels. */
const ROW = 22, ARRIVAL = 9, BREAK = 30, MARK = 20;
/** Pixels of a second where rows stand by time, at a zoom of 1. */
const SECOND = 240;

/**
 * What is drawn of a run, in the sequence of time: events, and rows that say something about the event before.
 *
 * An item is `{type, time, event?, isMarked?, words?}`; its type is `event`, `mark`, `break`, `parting` or `fold`.
 */
function itemsOf(side, includes) {
    const { events, inTime, facts, parting } = side;
    const breaks = facts.broken.flatMap((promise) => promise.violations.map((violation) => ({
        type: "break", promise, violation, time: violation.time ?? endOfRun(events),
        words: `${promise.promise} is broken`,
    }))).sort((one, other) => one.time - other.time);
    const items = [];
    let next = 0;
    for (const event of inTime) {
        while (next < breaks.length && breaks[next].time < event.time) items.push(breaks[next++]);
        if (event.number === parting) items.push({ type: "parting", time: event.time, words: "here the two runs part" });
        if (side.marked.has(event.number) || includes(event)) {
            items.push({ type: "event", time: event.time, event, isMarked: side.marked.has(event.number) });
        }
        for (const words of side.marks.get(event.number) ?? []) {
            items.push({ type: "mark", time: event.time, event, words });
        }
    }
    items.push(...breaks.slice(next));
    return items;
}

/** How far below the item before it an item stands. */
function advance(item, before) {
    const pause = before ? item.time - before.time : 0;
    // Longer pauses are wider, though not in proportion: 10 ms is 5 pixels, 10 s are 20.
    const gap = pause > 2e6 ? 5 * Math.log10(pause / 1e6) : 0;
    return gap + heightOf(item);
}

function heightOf(item) {
    switch (item.type) {
    case "break": return BREAK;
    case "mark": return MARK;
    // Where an arrow arrives needs no words, unless it deserves a look.
    default: return item.event?.departure && !item.isMarked ? ARRIVAL : ROW;
    }
}

/** Places for items by their sequence or, where `isTrue`, by their time alone. */
function placesOf(items, isTrue) {
    const places = new Float64Array(items.length);
    let y = ROW;
    items.forEach((item, index) => {
        if (isTrue) y = ROW + (item.time / 1e9) * SECOND;
        else y += advance(item, items[index - 1]);
        places[index] = y;
    });
    return places;
}

/** The layout of one run. */
function layoutOf(items, isTrue) {
    return new Layout(items, placesOf(items, isTrue));
}

/**
 * The layouts of two runs side by side: what `partner` lays beside each other stands at one height.
 *
 * `partner` says which item of the other run belongs to one of the first; nothing where none does.
 */
function layoutsOf(one, other, partner, isTrue) {
    if (isTrue) return [layoutOf(one, true), layoutOf(other, true)].map((layout, _, both) => {
        layout.height = Math.max(both[0].height, both[1].height);
        return layout;
    });
    const places = [new Float64Array(one.length), new Float64Array(other.length)];
    const paired = new Map();
    one.forEach((item, index) => {
        const index2 = partner(item);
        if (index2 !== undefined) paired.set(index2, index);
    });
    let [i, j, y, time] = [0, 0, ROW, 0];
    while (i < one.length || j < other.length) {
        const beside = i < one.length ? partner(one[i]) : undefined;
        const isPair = beside !== undefined && beside === j;
        const takesFirst = isPair || (i < one.length && (beside === undefined
            && (j >= other.length || paired.has(j) || one[i].time <= other[j].time)));
        const item = takesFirst ? one[i] : other[j] ?? one[i];
        const height = isPair ? Math.max(heightOf(one[i]), heightOf(other[j])) : heightOf(item);
        y += advance(item, { time }) - heightOf(item) + height;
        time = Math.max(time, item.time);
        if (takesFirst || j >= other.length) places[0][i++] = y;
        if (isPair || (!takesFirst && j < other.length)) places[1][j++] = y;
    }
    const layouts = [new Layout(one, places[0]), new Layout(other, places[1])];
    for (const layout of layouts) layout.height = y + 2 * ROW;
    return layouts;
}

/** Items with their heights, at a zoom of 1. */
class Layout {
    constructor(items, places) {
        this.items = items;
        this.places = places;
        this.height = (places[places.length - 1] ?? 0) + 2 * ROW;
        this.indexOf = new Map();
        items.forEach((item, index) => {
            if (item.type === "event") this.indexOf.set(item.event.number, index);
        });
        // How far down arrows reach that leave at or above an item: what is below no longer concerns it.
        this.reach = new Float64Array(items.length);
        let reach = 0;
        items.forEach((item, index) => {
            reach = Math.max(reach, this.endOf(item) ?? places[index]);
            this.reach[index] = reach;
        });
    }

    /** Where the arrow of an item arrives; nothing where it has none that is drawn. */
    endOf(item) {
        const index = item.type === "event" && item.event.arrival
            ? this.indexOf.get(item.event.arrival.number) : undefined;
        return index === undefined ? undefined : this.places[index];
    }

    /** The first item that concerns what is drawn from `y` on. */
    first(y) {
        let index = d3.bisectLeft(this.places, y);
        while (index > 0 && this.reach[index - 1] >= y) index -= 1;
        return index;
    }

    /** The height of a moment. */
    at(time) {
        const { items, places } = this;
        const index = d3.bisector((item) => item.time).left(items, time);
        if (items.length === 0) return 0;
        if (index >= items.length) return places[items.length - 1] + ROW;
        if (index === 0 || items[index].time === time) return places[index];
        const [before, after] = [items[index - 1], items[index]];
        const share = (time - before.time) / (after.time - before.time);
        return places[index - 1] + share * (places[index] - places[index - 1]);
    }

    /** The item nearest to a height. */
    nearest(y) {
        const index = d3.bisectLeft(this.places, y);
        const isBefore = index > 0 && (index === this.places.length
            || y - this.places[index - 1] < this.places[index] - y);
        return isBefore ? index - 1 : index;
    }

    /** The moment at a height. */
    timeAt(y) {
        const { items, places } = this;
        const index = Math.min(Math.max(d3.bisectLeft(places, y), 0), items.length - 1);
        if (index <= 0) return items[0]?.time ?? 0;
        const share = Math.min(1, (y - places[index - 1]) / (places[index] - places[index - 1] || 1));
        return items[index - 1].time + share * (items[index].time - items[index - 1].time);
    }
}
