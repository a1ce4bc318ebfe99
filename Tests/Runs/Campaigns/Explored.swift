import Orchestration
import RunSupport

@testable import Campaigns

/// An exploration of a phone and a lock with a defect.
func sickPair(_ search: Search, length: String) -> Exploration.Plan {
    Exploration.Plan(
        tool: "test", search: search, faults: nil, hosting: .inline, defects: [],
        topologies: [
            RunTask(
                name: "pair", file: "pair",
                text: """
                    length: \(length)
                    devices:
                      ben: {model: iPhone 15, permission: allowed}
                      lock: {profile: qorvo, handling-time: 1ms, defects: [reused-configuration]}
                    steps:
                      - {when: ni.didUpdate on ben, disconnect: [ben, lock]}
                    """, seed: 1)
        ], firstSeed: 1)
}

/// Plays the lots that there are, or so many; they come back in rounds, in the order that `shuffle` says.
func explore(
    _ plan: Exploration.Plan, lots most: Int = .max, _ shuffle: ([Lot]) -> [Lot] = { $0 }
) throws -> Exploration {
    var exploration = Exploration(plan)
    try LocalRunner.inline { runner in
        let player = LotPlayer()
        var played = 0
        while played < most {
            var round: [Lot] = []
            while round.count < most - played, let lot = exploration.next() {
                round.append(lot)
            }
            if round.isEmpty { return }
            played += round.count
            for lot in shuffle(round) {
                exploration.take(try player.play(lot, on: runner), of: lot)
            }
        }
    }
    return exploration
}
