import Choices
import DeviceLink
import Scenarios
import Simulation
import Traces

@testable import Schedules

/// A world with scripted devices: what each does with an event is a closure.
struct Stage {
    typealias Part = (DeviceEvent) -> [Answer]

    var world: World
    var trace: [TraceEvent] = []
    /// What the core did not allow.
    var breaches: [String] = []
    private var parts: [String: Part] = [:]
    private let names: [String]

    /// A stage; `parts` say what each device of the topology does in its turns, nothing by default.
    init(
        _ topology: Topology, seed: UInt64 = 1, scheduler: any Scheduler = FirstInFirstOut(),
        replaying: [RecordedDecision] = [], isComplete: Bool = false, records: Bool = false,
        notesSchedule: Bool = false, pause: World.Place? = nil,
        _ parts: [String: Part] = [:]
    ) {
        var options = World.Options()
        options.notesSchedule = notesSchedule
        options.pause = pause
        options.keepsCheckpoints = true
        world = World(
            plan: Plan(topology: topology, seed: seed), scheduler: scheduler,
            decisions: Decisions(
                seed: seed, replaying: replaying, isComplete: isComplete, records: records),
            options: options)
        self.parts = parts
        names = topology.devices.map(\.name)
    }

    /// Plays the run to its end, or to where it pauses.
    mutating func play(from first: World.Event = .begin) -> [TraceEvent] {
        var events = [first]
        while !events.isEmpty {
            let actions = world.handle(events.removeFirst())
            trace += world.state.trace
            world.forgetTaken()
            for action in actions {
                switch action {
                case .grant(let device, _, _, let event):
                    events.append(.answered(device: device, parts[names[device]]?(event) ?? []))
                case .consult: events.append(.consulted(isOpen: false))
                case .accuse(let device, let breach, _):
                    breaches.append("\(names[device]): \(breach)")
                    events.append(.abandoned(device: device, reason: "protocol error"))
                case .start, .kill, .freeze, .thaw, .pause, .end: break
                }
            }
        }
        return trace
    }
}

extension [TraceEvent] {
    /// `0.005 ben link.up peer=lock role=central`: the events of some kinds as a picture.
    func picture(_ kinds: String..., fields: [String] = []) -> [String] {
        filter { event in kinds.contains { event.name == $0 || event.name.hasPrefix($0 + ".") } }
            .map { event in
                let milliseconds = event.time.nanoseconds / 1_000_000
                let shown = event.fields.filter { fields.contains($0.name) }
                    .map { "\($0.name)=\($0.value.picture)" }
                return (["\(milliseconds)", event.device, event.name] + shown)
                    .filter { !$0.isEmpty }.joined(separator: " ")
            }
    }
}

extension Field.Value {
    var picture: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .bytes(let bytes): "\(bytes)"
        case .none: "none"
        }
    }
}
