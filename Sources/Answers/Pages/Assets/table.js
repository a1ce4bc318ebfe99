// Tables: of what a reader narrows down, and of numbers.

/** A table with a head; `rows` are elements, `numbers` says from which column on there are numbers. */
function tableOf(name, heads, rows, { kind = null, numbers = heads.length } = {}) {
    const body = element("tbody", {}, rows);
    const node = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
        element("table", { class: kind },
            element("thead", {}, element("tr", {}, heads.map((head, place) =>
                element("th", { scope: "col", class: place >= numbers ? "number" : null }, head)))), body));
    return { node, show(shown) { body.replaceChildren(...shown); } };
}

/** A row of numbers below their heads, behind what it is about. */
function rowOfNumbers(name, cells) {
    return element("tr", {}, element("th", { scope: "row" }, name),
        cells.map((cell) => element("td", { class: "number" }, typeof cell === "number" ? cell.toLocaleString("en") : cell)));
}

/** `12 %`, `0.35 %`: a share with two digits that say something; a dash where nothing was tried. */
function percent(hits, of) {
    if (of === 0) return "–";
    const value = (100 * hits) / of;
    return `${value.toFixed(value === 0 || value >= 10 ? 0 : value >= 1 ? 1 : value >= 0.1 ? 2 : 4)} %`;
}
