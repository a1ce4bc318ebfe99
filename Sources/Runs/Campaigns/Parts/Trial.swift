package import Orchestration
package import Reports
package import Topologies

/// A run, and its text with fewer and fewer parameters for a device that refuses them.
package struct Trial {
    package var task: RunTask
    private var simpler: [String] = []

    /// A run that a device plays as it is, or not at all.
    package init(_ task: RunTask) { self.task = task }

    /// A run of a variant, the text of which `text` makes: an Apple device that refuses parameters gets those of its
    /// system alone, and then none.
    package init(_ task: RunTask, of variant: TopologyVariant, text: (TopologyVariant) -> String) {
        self.task = task
        var (variant, texts) = (variant, [task.text])
        for parameters in [TopologyVariant.Parameters.ofTheSystem, .none] {
            variant.parameters = parameters
            let simpler = text(variant)
            if simpler != texts.last { texts.append(simpler) }
        }
        simpler = Array(texts.dropFirst())
    }

    /// The same run with fewer parameters; nil where there are none to leave out.
    fileprivate mutating func simplify() -> Bool {
        guard !simpler.isEmpty else { return false }
        task.text = simpler.removeFirst()
        return true
    }
}

extension [Trial] {
    /// Plays all, and those that a device refuses again with fewer parameters, until it takes them or none is left.
    ///
    /// - Parameters:
    ///   - isOver: Whether nothing more is to be played.
    ///   - play: Plays some, and has a report for each that was played.
    ///   - onSimpler: Hears of each run that is played again, before it is, and how it was refused.
    /// - Returns: The last report of each; nil where it was not played.
    package mutating func play(
        unless isOver: () -> Bool, by play: ([Trial]) -> [RunReport?],
        onSimpler: (Trial, RunReport) -> Void
    ) -> [RunReport?] {
        var reports = play(self)
        while !isOver() {
            var again: [Index] = []
            for place in indices {
                guard let report = reports[place], report.isRefusal else { continue }
                let refused = self[place]
                guard self[place].simplify() else { continue }
                onSimpler(refused, report)
                again.append(place)
            }
            if again.isEmpty { break }
            for (place, report) in zip(again, play(again.map { self[$0] })) {
                reports[place] = report
            }
        }
        return reports
    }
}

extension RunReport {
    /// Whether a device said that it will not play its part.
    ///
    /// In a sweep it fails with that: it has played this very part in the plain run.
    package var isRefusal: Bool { sweptFault == nil && failure?.hasPrefix("refusal of ") == true }
}
