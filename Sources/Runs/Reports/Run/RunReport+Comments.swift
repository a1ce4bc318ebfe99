extension RunReport {
    /// What a capture of the run has to say, by the numbers of the events that prove it: which promise was broken.
    package var comments: [UInt64: [String]] {
        promises.reduce(into: [:]) { texts, promise in
            for violation in promise.violations {
                let moment =
                    violation.time == .max ? "at the end" : "at \(Console.seconds(violation.time))"
                let name = promise.about.name(brokenBy: violation.device)
                let text = "promise \(name), broken \(moment): \(violation.sentence)"
                // Behind it stand those that prove it as well: not all of them are packets.
                for event in violation.events { texts[event, default: []].append(text) }
            }
        }
    }
}
