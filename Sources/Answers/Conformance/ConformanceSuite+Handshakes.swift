import Campaigns
import Orchestration
import Reports
import Topologies

// The plain handshakes that a test begins with, and the app that fits the accessory.
extension ConformanceSuite {
    func plainHandshakes(with partner: PlainHandshake.Partner) -> [Trial] {
        handshakeCasts.map { cast in
            var variant = cast.variant
            variant.expectsNothing = false
            return Trial(
                PlainHandshake.task(with: partner, of: variant, prefix: cast.prefix), of: variant
            ) {
                PlainHandshake.task(with: partner, of: $0, prefix: cast.prefix).text
            }
        }
    }

    /// Plays the plain handshakes; returns the texts of those that came about.
    ///
    /// An app that comes to none with an accessory may range with phones alone, and an accessory may need another app.
    mutating func playHandshakes(
        with player: inout TrialPlayer, noting outcome: inout Outcome
    ) -> [String?] {
        var texts = playHandshakes(with: .accessory, by: &player, noting: &outcome)
        for manner in otherManners(after: outcome) {
            guard !outcome.isOver, !outcome.isEnded else { break }
            var (fitting, fitted) = (self, outcome)
            fitting.fit(to: manner.value)
            fitted.reports.removeAll { !$0.isFailure }
            let found = fitting.playHandshakes(with: .accessory, by: &player, noting: &fitted)
            // An interruption or an error leaves none of them, or some.
            let isDone =
                fitted.handshakes.count == outcome.handshakes.count
                && fitted.handshakes.allSatisfy { $0.outcome == .done }
            guard isDone else {
                outcome.takeEnd(of: fitted)
                continue
            }
            fitted.unsaid.append(manner.line)
            (self, outcome, texts) = (fitting, fitted, found)
            break
        }
        guard isAppAlone, outcome.handshakes.allSatisfy({ $0.missing != nil }), !outcome.isOver,
            !outcome.isEnded
        else { return texts }
        let missing = outcome.handshakes
        let others = playHandshakes(with: .phone, by: &player, noting: &outcome)
        if !outcome.rangesWithPhonesAlone { outcome.handshakes = missing + outcome.handshakes }
        return others
    }

    /// How else an accessory of somebody else's may speak, by its first handshake, and what a PICS says of that.
    private func otherManners(
        after outcome: Outcome
    ) -> [(value: AccessoryManner, line: String)] {
        guard let variant = casts.first?.variant, variant.accessory != nil,
            let handshake = outcome.handshakes.first
        else { return [] }
        var manner = variant.manner
        if handshake.isUnasked, manner.asksFirst {
            manner.asksFirst = false
            return [(manner, "parts: {asks-first: false}")]
        }
        guard handshake.missing != nil, manner.answersWithin == nil else { return [] }
        return [10, 29].map { (seconds: UInt64) in
            manner.answersWithin = .seconds(seconds)
            return (manner, "answers-within: \(seconds)s")
        }
    }

    private mutating func fit(to manner: AccessoryManner) {
        for place in casts.indices { casts[place].variant.manner = manner }
        for place in handshakeCasts.indices { handshakeCasts[place].variant.manner = manner }
    }

    private func playHandshakes(
        with partner: PlainHandshake.Partner, by player: inout TrialPlayer,
        noting outcome: inout Outcome
    ) -> [String?] {
        let played = playFirst(plainHandshakes(with: partner), by: player, noting: &outcome)
        outcome.handshakes = played.map { PlainHandshake($0.report, with: partner) }
        outcome.reports += outcome.handshakes.map(\.report)
        return zip(played, outcome.handshakes).map {
            $1.outcome == .done ? $0.trial.task.text : nil
        }
    }

    /// Plays runs before it is known whether a program of somebody else's keeps something from one run to the next: each
    /// by processes, or a worker, of its own.
    private func playFirst(
        _ trials: [Trial], by player: TrialPlayer, noting outcome: inout Outcome
    ) -> [(trial: Trial, report: RunReport)] {
        guard handshakeCasts.contains(where: { ($0.variant.accessory ?? $0.variant.app) != nil })
        else { return player.play(trials, noting: &outcome) }
        var player = player
        player.settings.processes.usesFreshProcesses = true
        var played: [(trial: Trial, report: RunReport)] = []
        for trial in trials {
            guard !outcome.isOver, !outcome.isEnded else {
                outcome.planned += 1
                continue
            }
            played += player.play([trial], noting: &outcome)
        }
        return played
    }
}
