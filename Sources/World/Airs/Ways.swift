package import Basics
package import Scenarios

/// What every way from one device to another is like: as the topology has it, and as it is now.
///
/// A disturbance changes what is now. What the topology says stays beneath, so that with the last
/// disturbance the topology's own air is back.
package struct Ways: Sendable {
    private let defaults: Conditions
    private let count: Int
    /// What stands in the room, whoever moves behind it.
    let walls: [Wall]
    /// What the topology says of a way, where that is not the air's; looked up only.
    private var own: [Int: Conditions] = [:]
    /// What holds now, where that is not the air's; looked up only.
    private var present: [Int: Conditions] = [:]

    package init(_ topology: Topology) {
        count = topology.devices.count
        walls = topology.walls
        defaults = Conditions(topology.air)
        for link in topology.links {
            guard let first = topology.devices.firstIndex(where: { $0.name == link.between.first }),
                let second = topology.devices.firstIndex(where: { $0.name == link.between.second })
            else { continue }
            for way in [key(first, second), key(second, first)] {
                own[way] = Conditions(topology.air, link)
            }
        }
        present = own
    }

    /// What holds now for what `from` sends to `to`.
    ///
    /// Nothing is computed here: this is asked for every connection event.
    package func conditions(from: Int, to: Int) -> Conditions {
        present.isEmpty ? defaults : present[key(from, to)] ?? defaults
    }

    /// What holds where nothing disturbs.
    func undisturbed(from: Int, to: Int) -> Conditions { own[key(from, to)] ?? defaults }

    package mutating func set(_ conditions: Conditions, from: Int, to: Int) {
        present[key(from, to)] = conditions == defaults ? nil : conditions
    }

    /// Whether what a host is told of its links to another device waits.
    package mutating func hold(_ isHeld: Bool, from: Int, to: Int) {
        var conditions = conditions(from: from, to: to)
        conditions.isHeld = isHeld
        set(conditions, from: from, to: to)
    }

    private func key(_ from: Int, _ to: Int) -> Int { from * count + to }
}

/// What the way from one device to another is like.
package struct Conditions: Equatable, Sendable {
    package var loss: Ratio
    var hostDelay: UInt64
    package var capacity: Int
    package var uwbLoss: Ratio
    /// The part of what is sent on the network that is lost.
    var networkLoss: Ratio
    /// How much longer everything takes (a fault).
    package var extraDelay: UInt64 = 0
    package var isPartitioned = false
    package var isHeld = false
    package var isObstructed = false

    /// As the air is, and the link if it differs.
    init(_ air: Air, _ link: LinkSpec? = nil) {
        loss = link?.loss ?? air.loss
        hostDelay = link?.hostDelay ?? air.hostDelay
        capacity = link?.eventCapacity ?? air.eventCapacity
        uwbLoss = air.uwbLoss
        networkLoss = air.networkLoss
        isObstructed = link?.isObstructed ?? false
    }

    /// The part of the ranging rounds within reach that miss.
    var missedRounds: Ratio { isObstructed ? uwbLoss.worse(or: Obstacle.missed) : uwbLoss }

    /// How far a radio reaches, in millimetres, that has this reach where nothing is in the way.
    func reach(of range: Int64) -> Int64 { isObstructed ? Obstacle.reach(of: range) : range }

    /// With a disturbance besides, of the same direction or of the other one: of what several say about
    /// one thing the worst counts.
    package mutating func suffer(_ disturbance: PairVerb, isForward: Bool) {
        switch disturbance {
        case .loss(let ratio, _):
            loss = loss.worse(or: ratio)
            uwbLoss = uwbLoss.worse(or: ratio)
            networkLoss = networkLoss.worse(or: ratio)
        case .uwbLoss(let ratio, _): uwbLoss = uwbLoss.worse(or: ratio)
        case .delay(let delay, _): extraDelay = max(extraDelay, delay)
        case .throttle(let count, _): capacity = min(capacity, count)
        case .hold: isHeld = isHeld || isForward
        case .partition(let oneWay, _): isPartitioned = isPartitioned || isForward || !oneWay
        case .obstruct(let on): isObstructed = isObstructed || on
        case .disconnect, .release, .repair: break
        }
    }
}

extension Ratio {
    /// The greater one of two.
    fileprivate func worse(or other: Ratio) -> Ratio {
        let (mine, theirs) = (
            numerator.multipliedFullWidth(by: other.denominator),
            other.numerator.multipliedFullWidth(by: denominator)
        )
        return (mine.high, mine.low) < (theirs.high, theirs.low) ? other : self
    }
}
