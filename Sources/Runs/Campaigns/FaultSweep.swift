import Artifacts
import Basics
import DeviceLink
import Foundation
package import Orchestration
package import Reports
import Scenarios
import Topologies
package import Traces
import Vocabulary

/// Every kind of fault, at everything it can hit, at every moment of a topology's plain run, one fault a run:
/// for single faults the claim is complete.
///
/// What leaks shows only after several of them: each fault strikes again and again as well, whenever something that the
/// plain run has on the air occurs. The kinds are those of `VerbForm.sweep`. Each fault may be played under several
/// schedules: the first one's seed is that of the plain run, the others follow it.
package struct FaultSweep: Codable, Equatable {
    /// A kind of fault with its target.
    package struct Fault: Codable, Equatable {
        package let swept: RunReport.SweptFault
        /// What is done, and then what ends it, where a step of its own does.
        let deeds: [Deed]

        /// What it is called: `partition-one-way-ben-to-lock`.
        package var name: String { "\(swept.kind)-\(swept.target)" }

        func striking(at moment: Nanoseconds) -> AddedFaults {
            .swept(timed(from: moment), until: moment + FaultSweep.duration)
        }

        func striking(atEach anchor: Anchor, times: Int) -> AddedFaults {
            .swept(
                timed(from: 0),
                each: AddedFaults.Recurrence(of: anchor.kind, on: anchor.device, times: times),
                until: anchor.first + UInt64(times) * FaultSweep.cycle)
        }

        private func timed(from moment: Nanoseconds) -> [TimedFault] {
            let (duration, end) = (FaultSweep.duration, moment + FaultSweep.duration)
            return zip(deeds, [moment, end]).map { deed, start in
                TimedFault(deed, start: start, length: deed.name.form.lasts ? duration : 0)
            }
        }
    }

    /// What occurs on the air, at each occurrence of which a fault may strike.
    struct Anchor: Codable, Equatable {
        let kind: String
        let device: String
        /// When it occurs in the plain run for the first time.
        let first: Nanoseconds

        /// What it is called: `link.up-ben`.
        var name: String { "\(kind)-\(device)" }
    }

    /// How long a fault lasts, if it lasts at all.
    static let duration: Nanoseconds = .seconds(2)
    /// How long it takes, about, until what a fault has undone is there again to be struck.
    private static let cycle: Nanoseconds = .seconds(3)

    private let faults: [Fault]
    private let moments: [Nanoseconds]
    private let anchors: [Anchor]
    /// Under how many schedules each fault is played at each moment.
    package let schedules: Int

    /// Sweeps over the plain runs of these tasks, each up to the event after which moments no longer matter.
    ///
    /// A plain run that fails gives its report instead of a sweep; one that fails for an error of ours is played again
    /// first.
    ///
    /// - Throws: `DocumentError` where a task's text is none.
    package static func over(
        _ tasks: [RunTask], with settings: RunSettings, schedules: Int = 1,
        until isOver: @escaping (TraceEvent) -> Bool = { _ in false }
    ) throws -> [Result<FaultSweep, PlainFailure>] {
        var plain = settings
        plain.files.tree = nil
        // Moments are those of the timing in which the faults strike, where there is one such.
        if plain.scheduler != .late { plain.scheduler = .fifo }
        // A device that crashes must not end this process.
        plain.hosting = .process
        return try LocalRunner.with(plain) { runner in
            try tasks.map { task in
                let topology = try task.topology()
                let moments = Moments(until: isOver)
                runner.observer = moments
                var report = runner.run(task)
                for _ in 1..<tries where report.status == .harnessError {
                    runner.releaseDevices()
                    report = runner.run(task)
                }
                if report.status == .interrupted { throw Interruption() }
                guard [.held, .violated, .inconclusive].contains(report.status) else {
                    return .failure(PlainFailure(report: report))
                }
                return .success(
                    FaultSweep(
                        faults: SweptFaults(of: topology).all, moments: moments.all,
                        anchors: moments.anchors, schedules: schedules))
            }
        }
    }

    /// How often a plain run is played at most.
    private static let tries = 3

    /// Why there is no sweep over a topology.
    package struct PlainFailure: Error {
        /// What became of its plain run.
        package let report: RunReport
    }

    /// A sweep without faults.
    package static let ofNothing = FaultSweep(faults: [], moments: [], anchors: [], schedules: 1)

    private init(
        faults: [Fault], moments: [Nanoseconds], anchors: [Anchor], schedules: Int
    ) {
        (self.faults, self.moments) = (faults, moments)
        (self.anchors, self.schedules) = (anchors, schedules)
    }

    /// How many strikes there are, each of which is played under every schedule.
    private var strikes: Int { faults.count * (moments.count + anchors.count) }

    /// How many runs there are: the strikes under the plain timing come first.
    package var count: Int { strikes * schedules }

    /// The kinds of faults that can strike here, each once.
    var kinds: [String] { faults.map(\.swept.kind).uniqued }

    /// A run by its number: all strikes under each schedule; those at one moment and those that recur take turns, as
    /// long as there are both.
    package func variation(_ number: Int, of firstSeed: UInt64) -> Variation {
        let (schedule, strike) = number.quotientAndRemainder(dividingBy: strikes)
        let turns = faults.count * min(moments.count, anchors.count)
        let (turn, isSecond) = strike.quotientAndRemainder(dividingBy: 2)
        let isInTurn = strike < 2 * turns
        let recurs = isInTurn ? isSecond == 1 : anchors.count > moments.count
        var variation =
            recurs
            ? recurring(isInTurn ? turn : strike - turns, times: Self.times(under: schedule))
            : single(isInTurn ? turn : strike - turns)
        variation.seed = firstSeed &+ UInt64(schedule)
        return variation
    }

    /// All faults at one moment after the other.
    private func single(_ strike: Int) -> Variation {
        let (moment, place) = strike.quotientAndRemainder(dividingBy: faults.count)
        let fault = faults[place]
        return Variation(
            seed: 0, name: "sweep/\(fault.name)/\(moment)",
            faults: fault.striking(at: moments[moment]), sweptFault: fault.swept)
    }

    /// One fault after the other at each occurrence of everything.
    private func recurring(_ strike: Int, times: Int) -> Variation {
        let (place, anchor) = strike.quotientAndRemainder(dividingBy: anchors.count)
        let fault = faults[place]
        return Variation(
            seed: 0, name: "sweep/\(fault.name)/each-\(anchors[anchor].name)",
            faults: fault.striking(atEach: anchors[anchor], times: times), sweptFault: fault.swept)
    }

    /// How often a fault recurs: an app has attempts left after three; a greater pool takes more to run out.
    private static func times(under schedule: Int) -> Int { schedule == 0 ? 3 : 8 }
}

/// The faults that can strike in a topology, by the table of verbs.
package struct SweptFaults {
    /// All of them, in the order of the table.
    package let all: [FaultSweep.Fault]

    init(of topology: Topology) {
        all = VerbForm.all.flatMap { verb in
            verb.sweep.flatMap { form in
                Self.targets(of: verb, form, in: topology).map {
                    Self.fault(of: verb, as: form, at: $0)
                }
            }
        }
    }

    /// What a fault strikes.
    private struct Target {
        let name: String
        let deed: Deed.Target
        /// Where the device ends its walk; of a pair, the first device.
        let place: Position
    }

    private static func targets(
        of verb: VerbForm, _ form: SweepForm, in topology: Topology
    ) -> [Target] {
        let phones = topology.devices.filter { $0.role == .appleDevice }
        let accessories = topology.devices.filter { $0.role == .accessory }
        switch verb.target {
        case .pair:
            let pairs =
                topology.phonePairs ?? phones.flatMap { phone in accessories.map { (phone, $0) } }
            let ways = form.isEachWay ? pairs.flatMap { [($0, $1), ($1, $0)] } : pairs
            return ways.map { pair(from: $0, to: $1, isOneWay: form.isEachWay) }
        case .device, .command:
            return (phones + (verb.hits.contains(.accessory) ? accessories : [])).map(one)
        }
    }

    private static func one(_ device: DeviceSpec) -> Target {
        Target(
            name: device.name, deed: .device(device.name), place: home(of: device))
    }

    private static func pair(
        from one: DeviceSpec, to other: DeviceSpec, isOneWay: Bool
    ) -> Target {
        Target(
            name: one.name + (isOneWay ? "-to-" : "-") + other.name,
            deed: .pair(DevicePair(one.name, other.name)), place: home(of: one))
    }

    private static func home(of device: DeviceSpec) -> Position {
        device.path.last?.position ?? device.position
    }

    private static func fault(
        of verb: VerbForm, as form: SweepForm, at target: Target
    ) -> FaultSweep.Fault {
        let deeds =
            switch form.modifiers {
            case .settings(let settings): [Deed(verb.name, at: target.deed, with: settings)]
            case .outOfReachAndBack:
                [farFrom(target.place), target.place].map {
                    Deed(verb.name, at: target.deed, with: [.to: .place(x: $0.x, y: $0.y, z: $0.z)])
                }
            }
        return FaultSweep.Fault(
            swept: RunReport.SweptFault(kind: form.kind, target: target.name), deeds: deeds)
    }

    /// A corner of the world, farther away than any radio reaches.
    private static func farFrom(_ place: Position) -> Position {
        func opposite(_ length: Int64) -> Int64 { length > 0 ? -10_000_000 : 10_000_000 }
        return Position(x: opposite(place.x), y: opposite(place.y), z: opposite(place.z))
    }
}

/// Collects the moments at which something happens, and what occurs on the air; ranging that goes on does not count.
private final class Moments: RunSink {
    private(set) var all: [Nanoseconds] = []
    /// What occurs on the air, when first and in which steps, in the sequence of what occurs first.
    private var occurrences: [(anchor: FaultSweep.Anchor, steps: [UInt64])] = []
    private let isOver: (TraceEvent) -> Bool
    private var hasEnded = false
    /// Devices that have ranged already; looked up only.
    private var ranged: Set<String> = []

    init(until isOver: @escaping (TraceEvent) -> Bool) { self.isOver = isOver }

    /// What a fault may strike at each occurrence of: one of what occurs in the same steps.
    var anchors: [FaultSweep.Anchor] {
        var seen: Set<[UInt64]> = []
        return occurrences.filter { seen.insert($0.steps).inserted }.map(\.anchor)
    }

    func take(_ event: TraceEvent) {
        // A run that was given up is played again, from its first event on.
        if event.kind == .runStarted { (all, occurrences, hasEnded, ranged) = ([], [], false, []) }
        guard !hasEnded else { return }
        if [.uwbRound, .niDidUpdate].contains(event.kind),
            !ranged.insert("\(event.name) \(event.device)").inserted
        {
            return
        }
        let time = event.time.nanoseconds
        if all.last != time { all.append(time) }
        note(event, at: time)
        hasEnded = isOver(event)
    }

    private func note(_ event: TraceEvent, at time: Nanoseconds) {
        guard event.kind?.isOnTheAir == true, !event.device.isEmpty, time > 0 else { return }
        let anchor = FaultSweep.Anchor(kind: event.name, device: event.device, first: time)
        let known = occurrences.firstIndex {
            $0.anchor.kind == anchor.kind && $0.anchor.device == anchor.device
        }
        guard let known else { return occurrences.append((anchor, [event.step])) }
        occurrences[known].steps.append(event.step)
    }
}

extension EventKind {
    /// Whether it is a step of a link, a message or a radio, which a fault may disturb; packets are too many.
    fileprivate var isOnTheAir: Bool {
        ["air", "link", "msg", "network", "uwb"].contains(family) && self != .uwbRound
    }
}
