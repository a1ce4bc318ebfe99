import Choices
import Orchestration
import Vocabulary

/// Two events of which the order is the whole difference.
struct Proven {
    /// The one that is first where it fails.
    let first: EventID
    /// The one that is first where it holds.
    let second: EventID
    let proof: Explanation.Proof
    /// The nearest run that breaks: it may be the failing one itself.
    let breaking: Explainer.Played
    /// The nearest run that holds.
    let passing: Explainer.Played

    /// The race, and whether it is one that the defects declare which are switched on.
    ///
    /// The chance of such a race counts what happens up to the last pick that matters.
    func race(
        of defects: [RunSettings.Defect], showing effect: EventWords.Effect?, upTo lastPick: Int
    ) -> Explanation.Race {
        let (here, there) = (breaking.words, passing.words)
        return Explanation.Race(
            first: here.moment(first, andIn: there), second: here.moment(second, andIn: there),
            declared: defects.indices.compactMap { place in
                let name = defects[place].name
                guard !defects[..<place].contains(where: { $0.name == name }) else { return nil }
                let devices = defects.filter { $0.name == name }.map(\.device)
                return Catalogue.race(of: name).map {
                    declaration(of: $0, by: name, at: devices, showing: effect, upTo: lastPick)
                }
            }, proof: proof)
    }

    /// Compares what a defect declares with the two events and their effect, at the devices that have it.
    private func declaration(
        of race: Catalogue.Race, by defect: String, at devices: [String],
        showing effect: EventWords.Effect?, upTo lastPick: Int
    ) -> Explanation.Declaration {
        let words = breaking.words
        func kinds(_ event: EventID) -> [String] { words.kinds(of: event, concerning: devices) }
        let ofEffect = [effect?.first.event, effect?.second.event].compactMap(\.self)
            .filter { event in devices.contains { words.concerns(event, device: $0) } }.map(\.name)
        return Explanation.Declaration(
            defect: defect, devices: devices, one: race.one, other: race.other,
            isThis: race.isBetween(kinds(first), kinds(second)),
            isEffect: ofEffect.count == 2 && race.isBetween([ofEffect[0]], [ofEffect[1]]),
            chance: words.chance(of: race, concerning: devices, upTo: lastPick))
    }
}
