import Basics
import Choices
import Orchestration
import Simulation

/// What a swap changes at the device where the failure shows.
extension EventWords {
    /// Two things that happened to one device.
    struct Effect {
        /// Happens first where it fails, and later or never where it holds.
        let first: Happening
        /// Happens first where it holds.
        let second: Happening
        /// The first one where it holds; nil where it never happens there.
        let firstInPassing: Happening?
        /// The second one where it holds.
        let secondInPassing: Happening
    }

    /// The first difference to a run that holds, at a device that the proof of the failure is about; the last of
    /// them comes first.
    ///
    /// A device does the same as long as the same happens to it, so there it learns of the difference. Nil
    /// where no two events come in another sequence.
    func effect(notIn passing: EventWords) -> Effect? {
        devicesOfTheProof.lazy.compactMap { device in
            Self.effect(breaking: happenings(at: device), passing: passing.happenings(at: device))
        }.first
    }

    private static func effect(
        breaking here: [Happening], passing there: [Happening]
    ) -> Effect? {
        let same = zip(here, there).prefix { $0.name == $1.name }.count
        guard same < min(here.count, there.count),
            let second = here[same...].first(where: { $0.name == there[same].name })
        else { return nil }
        return Effect(
            first: here[same], second: second,
            firstInPassing: there[same...].first { $0.name == here[same].name },
            secondInPassing: there[same])
    }
}

extension EventWords {
    /// The first two events that reach the device where the failure shows in another sequence than in another
    /// run.
    func firstTurnedRoundWhereItShows(in other: EventWords) -> (EventID, EventID)? {
        devicesOfTheProof.lazy.compactMap { device -> (EventID, EventID)? in
            let (here, there) = (study.reaching(device), other.study.reaching(device))
            let same = zip(here, there).prefix { $0 == $1 }.count
            guard same < min(here.count, there.count), here[same...].contains(there[same]),
                let first = EventID(here[same]), let second = EventID(there[same])
            else { return nil }
            return (first, second)
        }.first
    }

    /// Where the events that prove the failure happened, the last of them first, and then with whom.
    private var devicesOfTheProof: [String] {
        let numbers = study.report.firstViolation?.violation.events ?? []
        let proofs = study.events.filter { numbers.contains($0.number) }.reversed()
        var devices = proofs.flatMap { [$0.device, $0.text("peer") ?? ""] }
        if devices.isEmpty {
            devices = study.devicesOfTheExpectation
            devices += devices.flatMap(partners(of:))
        }
        return devices.filter { !$0.isEmpty }.uniqued
    }
}

extension Study {
    /// The events that reach a device, in order.
    fileprivate func reaching(_ device: String) -> [String] {
        // Its number is that of its first turn.
        let own = steps.first { $0.event.hasPrefix("boot \(device)/") }?.device
        return own == nil ? [] : steps.filter { $0.device == own }.map(\.event)
    }

    /// Those that the first expectation that is not met names.
    fileprivate var devicesOfTheExpectation: [String] {
        let unmet = report.expectations.first { $0.verdict == .violated }
        let words = unmet?.expectation.split(whereSeparator: { " ,[]".contains($0) }) ?? []
        let names = Set(events.lazy.map(\.device))
        return words.map(String.init).filter(names.contains)
    }
}

extension EventWords.Effect {
    /// The two as an explanation has them.
    var moments: Explanation.Effect {
        Explanation.Effect(
            first: Self.moment(first, in: firstInPassing),
            second: Self.moment(second, in: secondInPassing), isKept: firstInPassing != nil)
    }

    private static func moment(
        _ thing: EventWords.Happening, in passing: EventWords.Happening?
    ) -> Explanation.Moment {
        Explanation.Moment(
            event: thing.id, words: thing.words, time: thing.event.time.nanoseconds,
            happens: [Explanation.Happening(thing.event)], about: [],
            inPassing: passing.map { [Explanation.Happening($0.event)] })
    }
}
