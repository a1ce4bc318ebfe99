import Foundation

/// A soak's numbers in Prometheus' text format, for a node exporter or whoever scrapes files.
struct SoakMetrics {
    private var text = ""

    /// All numbers of a soak at this moment.
    static func text(of soak: Soak) -> String {
        var metrics = SoakMetrics()
        let progress = soak.progress
        metrics.add(
            "anechoic_soak_seconds", "Seconds of all sittings so far.", [("", soak.seconds)])
        metrics.add(
            "anechoic_soak_runs_total", "Runs that are over, by arm.",
            SoakArm.allCases.map {
                (label("arm", $0.rawValue), Double(progress.arms[$0]?.runs ?? 0))
            }, isCounter: true)
        metrics.add(
            "anechoic_soak_failing_runs_total", "Runs that failed, by arm.",
            SoakArm.allCases.map {
                (label("arm", $0.rawValue), Double(progress.arms[$0]?.failing ?? 0))
            }, isCounter: true)
        metrics.add(
            "anechoic_soak_simulated_seconds_total", "Virtual time of all runs.",
            [("", Double(progress.simulated) / 1e9)], isCounter: true)
        metrics.add(
            "anechoic_soak_group_runs_total", "Runs that failed, by group of failures.",
            progress.groups.map { (label("failure", $0.first.fingerprint), Double($0.runs)) },
            isCounter: true)
        metrics.add(
            "anechoic_soak_covered", "What was covered so far.",
            [("", Double(progress.coverage.count))])
        for (name, value) in (soak.samples.last?.values ?? [:]).sorted(by: { $0.key < $1.key }) {
            metrics.add(
                "anechoic_soak_" + name.replacing("-", with: "_"), "What the soak itself takes.",
                [("", value)])
        }
        return metrics.text
    }

    private mutating func add(
        _ name: String, _ help: String, _ values: [(labels: String, value: Double)],
        isCounter: Bool = false
    ) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(isCounter ? "counter" : "gauge")\n"
        for (labels, value) in values {
            text += "\(name)\(labels) \(value == value.rounded() ? "\(Int(value))" : "\(value)")\n"
        }
    }

    /// A label, with what the format escapes.
    private static func label(_ name: String, _ value: String) -> String {
        let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
        return "{\(name)=\"\(escaped)\"}"
    }
}
