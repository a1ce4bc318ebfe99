// Tables that a reader narrows down.

/** A table with a head; `rows` are elements. */
function tableOf(name, heads, rows) {
    const body = element("tbody", {}, rows);
    const node = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
        element("table", { class: "clauses" },
            element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))), body));
    return { node, show(shown) { body.replaceChildren(...shown); } };
}
