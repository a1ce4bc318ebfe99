// A way to fail, in words: what is promised, and what happened instead.

/** What a group of failures is: its first run is `report`; nothing is known of it where that is missing. */
function whatFailed(fingerprint, report) {
    // What was broken first is what the group is called by; the run may break more.
    const promise = report?.promises.find(({ promise }) => fingerprint.startsWith(`${promise}:`)) ?? report?.promises[0];
    const unmet = report?.expectations[0];
    const violation = promise?.violations[0];
    return [
        element("h2", {}, element("span", { class: "cross", "aria-hidden": true }, "✗"),
            ` ${promise?.sentence ?? report?.failure ?? (unmet ? `expected: ${unmet.expectation}` : fingerprint)}`),
        element("p", { class: "about" }, [fingerprint, promise?.keeper ? `to be kept by ${promise.keeper}` : null, promise?.clause]
            .filter(Boolean).join(" · ")),
        violation ? element("p", { class: "violation" }, violation.sentence) : null,
        unmet?.reason ? element("p", { class: "violation" }, unmet.reason) : null,
        violation && violation.story.length > 0 ? element("ul", { class: "endings" }, violation.story.map((line) => element("li", {}, line))) : null,
    ];
}

/** How to repeat it, and how to see it. */
function howToRepeat(report) {
    return report?.replay ? [command(report.replay), command(report.replay.replace(" replay ", " report "))] : null;
}
