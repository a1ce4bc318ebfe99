package import DeviceKit

/// Some devices in one virtual time, with an air that loses nothing and is never late.
///
/// Timers come at their time, posted items at once and in order.
package final class Chamber {
    package private(set) var now = VirtualTime.zero
    /// What the devices observed, as `kind` and its fields.
    package private(set) var observations:
        [(time: VirtualTime, device: Int, kind: String, fields: [Field])] =
            []
    package private(set) var logs: [String] = []
    /// What each device stored, in the order of the keys.
    package private(set) var stored: [Int: [StoredPair]] = [:]
    /// Every answer that was given.
    package private(set) var answers: [(time: VirtualTime, device: Int, answer: Answer)] = []
    private var participants: [Participant] = []
    private var agenda: [(at: VirtualTime, number: Int, work: () -> Void)] = []
    private var nextNumber = 0
    package private(set) lazy var air = Air(of: self)
    package private(set) lazy var network = Network(of: self)

    private final class Participant {
        let turn: (VirtualTime, DeviceEvent) -> [Answer]
        var timers: [String: Int] = [:]

        init(_ turn: @escaping (VirtualTime, DeviceEvent) -> [Answer]) { self.turn = turn }
    }

    package init() {}

    /// Adds a device and powers it on; gives its number.
    @discardableResult
    package func add<Made: Device>(
        _ reset: Reset, _ make: (Reset, Context) throws(Refusal) -> Made
    ) throws(Refusal) -> Int {
        let context = Context(reset) { [unowned self] in logs.append($0) }
        let device = try context.asCurrent { () throws(Refusal) in try make(reset, context) }
        participants.append(Participant { context.turn(of: device, at: $0, $1) })
        air.addresses.append(reset.address)
        network.names.append(reset.name)
        let number = participants.count - 1
        turn(number, .boot)
        return number
    }

    /// Adds a device of a type and powers it on; gives its number.
    @discardableResult
    package func add<Made: Device>(_ type: Made.Type, _ reset: Reset) throws(Refusal) -> Int {
        try add(reset) { (reset, context) throws(Refusal) in try Made(reset, in: context) }
    }

    /// Lets a device take a turn at once.
    package func turn(_ device: Int, _ event: DeviceEvent) {
        for answer in participants[device].turn(now, event) {
            answers.append((now, device, answer))
            perform(answer, of: device)
        }
    }

    /// Lets a device take a turn later.
    package func post(_ event: DeviceEvent, to device: Int, after: Nanoseconds = 0) {
        later(after) { [unowned self] in turn(device, event) }
    }

    /// Does something later.
    package func later(_ after: Nanoseconds, _ work: @escaping () -> Void) {
        agenda.append((now + after, nextNumber, work))
        nextNumber += 1
    }

    /// Lets time pass.
    package func run(for length: Nanoseconds) {
        let end = now + length
        while let next = agenda.indices.min(by: {
            (agenda[$0].at, agenda[$0].number) < (agenda[$1].at, agenda[$1].number)
        }), agenda[next].at <= end {
            let item = agenda.remove(at: next)
            now = item.at
            item.work()
        }
        now = end
    }

    /// Tells a device what its user or the script wants.
    package func command(_ device: Int, _ name: String, _ arguments: [(String, String)] = []) {
        turn(device, .command(name: name, arguments: arguments.map { Pair($0.0, $0.1) }))
    }

    private func perform(_ answer: Answer, of device: Int) {
        switch answer {
        case .setTimer(let name, let after, _):
            let number = nextNumber
            participants[device].timers[name] = number
            later(after) { [unowned self] in
                guard participants[device].timers[name] == number else { return }
                participants[device].timers[name] = nil
                turn(device, .timer(name: name))
            }
        case .cancelTimer(let name): participants[device].timers[name] = nil
        case .post(let queue, let item): post(.queue(name: queue, item: item), to: device)
        case .store(let key, let value):
            stored[device, default: []].removeAll { $0.key == key }
            if let value { stored[device, default: []].append(StoredPair(key, value)) }
        case .observe(let kind, let fields): observations.append((now, device, kind, fields))
        case .bluetooth(let command): air.perform(command, of: device)
        case .uwb(let command): air.perform(command, of: device)
        case .network(let command): network.perform(command, of: device)
        // Tests take the frames.
        case .camera: break
        }
    }

    /// The kinds of observations of a device whose names begin so, one after the other.
    package func kinds(of device: Int = 0, _ prefix: String = "") -> [String] {
        observations.filter { $0.device == device && $0.kind.hasPrefix(prefix) }.map(\.kind)
    }

    /// The moments of a kind of observation, in milliseconds.
    package func times(of kind: String, device: Int = 0) -> [UInt64] {
        observations.filter { $0.device == device && $0.kind == kind }
            .map { $0.time.nanoseconds / 1_000_000 }
    }

    /// The values of a field in all observations of a kind.
    package func values(of field: String, in kind: String, device: Int = 0) -> [Field.Value] {
        observations.filter { $0.device == device && $0.kind == kind }
            .compactMap { $0.fields.first { $0.name == field }?.value }
    }
}
