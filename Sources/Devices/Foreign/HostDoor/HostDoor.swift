import Bluetooth
import DeviceKit
import Glibc
import Vocabulary

/// The HCI door: a device that is somebody else's Bluetooth host, with a virtual controller before it.
///
/// What the air reports becomes HCI events; what the host commands becomes answers. A host in virtual time is a
/// guest: it works within the turns of this device, and its time is theirs. One that goes by the wall clock works
/// on beside us, and we look what it has sent once in a millisecond.
final class HostDoor {
    private let context: Context
    private let program: GuestProgram
    private let seed: UInt64
    private var controller: VirtualController
    private var stream = H4Stream()
    private var chip: GuestUWBChip?
    private var life: GuestLife?
    private var freeLife: FreeLife?
    private var telling = TurnTelling()
    /// Whether the host has closed its connection.
    private var isDeserted = false
    /// When the timer is set to go off.
    private var alarm: UInt64?
    private static let timer = "guest"
    /// How often a host and its controller may answer each other at one moment.
    private static let mostRounds = 100_000

    /// A host's incarnation; no host has a defect of ours.
    init(of program: GuestProgram, _ reset: Reset, in context: Context) throws(Refusal) {
        self.context = context
        self.program = program
        let parameters = try Parameters(reset, known: ["extended-advertising"])
        if let defect = reset.defects.first {
            throw .unknown("defect", named: defect, known: [])
        }
        var options = VirtualController.Options()
        options.hasExtendedAdvertising = try parameters.flag(
            "extended-advertising", default: false)
        controller = VirtualController(address: reset.address, options: options) {
            [unowned context] in context.random("hci/rand").value
        }
        chip = program.chip.map(GuestUWBChip.init(on:))
        seed = Keyed(reset.key).with("guest").value
    }

    func handle(_ event: DeviceEvent) {
        switch event {
        case .boot where program.host.clock == .wall: freeLife = program.beginByTheWallClock()
        case .boot: life = program.begin(seed: seed, at: context.now)
        case .timer: alarm = nil
        case .bluetooth(let event): controller.receive(event)
        case .uwb(let event): chip?.receive(event)
        case .command(CommandName.uwbEnded.rawValue, let arguments):
            let session = arguments.first { $0.name == "session" }.flatMap { UInt32($0.value) }
            if let session { chip?.endInBand(session) }
        case .command(let name, _):
            context.log("the host cannot be told \"\(name)\": it is behind HCI")
            return
        case .queue, .network, .camera: return
        }
        if let freeLife { look(at: freeLife) } else { converse(isBegin: event == .boot) }
    }

    /// Hands a host that goes by the wall clock what there is for it, and takes what it has sent.
    private func look(at host: FreeLife) {
        deliver()
        _ = hearAll(sent: 0, connections: program.channel.connections + 1)
        deliver()
        if let status = host.end { endAsTheHost(status) }
        if alarm == nil { setAlarm((context.now + HostProgram.period).nanoseconds) }
    }

    private func deliver() {
        program.channel.send(controller.takePackets().flatMap(\.bytes))
        chip?.send(in: context)
    }

    /// Takes what the host has sent to its controller and its chip; returns what the chip got.
    private func hearAll(sent: UInt64, connections: UInt64) -> [UInt8] {
        do throws(MalformedBytes) {
            try hear(sent: sent, connections: connections)
            return try chip?.hear(in: context) ?? []
        } catch {
            context.log("the host speaks neither H4 nor UCI: \(error)")
            exit(65)
        }
    }

    /// Lets the guest work and its controller answer, until both wait for something that is not there yet.
    private func converse(isBegin: Bool) {
        var isBegin = isBegin
        for _ in 0..<Self.mostRounds {
            deliver()
            guard let life else { return }
            if !isBegin { life.wake(at: context.now, sent: program.channel.sent) }
            isBegin = false
            switch life.rest() {
            case .ended(let status):
                tell(waitingUntil: nil)
                endAsTheHost(status)
            case .blocked(let until, let sent, let connections):
                telling?.ask(life)
                let bytes = hearAll(sent: sent, connections: connections)
                telling?.take(bytes)
                let next = until.map { max($0, context.now.nanoseconds) }
                if controller.output.packets.isEmpty, chip?.isQuiet ?? true,
                    next != context.now.nanoseconds
                {
                    tell(waitingUntil: next)
                    return setAlarm(next)
                }
            }
        }
        context.log(
            "the host and its controller have answered each other \(Self.mostRounds) times at one moment, "
                + "and do not come to an end")
        exit(70)
    }

    /// Takes what the host has sent to its controller.
    private func hear(sent: UInt64, connections: UInt64) throws(MalformedBytes) {
        let channel = program.channel
        if channel.connect(upTo: connections, waits: freeLife == nil) {
            stream = H4Stream()
            isDeserted = false
            if channel.connections > 1 {
                context.log("the host has a new connection to its controller")
            }
        }
        guard let bytes = channel.receive(total: sent) else {
            if !isDeserted { context.log("the host has closed its connection to its controller") }
            isDeserted = true
            return
        }
        telling?.take(bytes)
        stream.append(bytes)
        while let packet = try stream.next() { controller.receive(packet) }
        for remark in controller.takeRemarks() { context.log(remark) }
        for request in controller.takeRequests() { context.answer(.bluetooth(request)) }
    }

    private func tell(waitingUntil moment: UInt64?) {
        if let line = telling?.line(waitingUntil: moment) { context.log(line) }
    }

    private func setAlarm(_ moment: UInt64?) {
        guard moment != alarm else { return }
        alarm = moment
        guard let moment else { return context.cancelTimer(Self.timer) }
        context.setTimer(Self.timer, after: Nanoseconds(moment - context.now.nanoseconds))
    }

    /// The host's end is the device's: whoever waits for us sees how it ended.
    private func endAsTheHost(_ status: Int32) -> Never {
        let (number, code) = (status & 0x7F, (status >> 8) & 0xFF)
        if number != 0 {
            context.log(
                "the host was ended by signal \(number), \(String(cString: strsignal(number)))")
            signal(number, SIG_DFL)
            raise(number)
        }
        context.log("the host has ended by itself, with status \(code)")
        exit(code)
    }
}

/// The program `hci-door`: a host's door, for one life after another.
package func openHostDoor() -> Never {
    var program: GuestProgram?
    run(program: "hci-door") { (reset, context) throws(Refusal) in
        let host = try hostProgram(Array(CommandLine.arguments.dropFirst()))
        let present: GuestProgram
        if let program { present = program } else { present = try GuestProgram(host) { print($0) } }
        program = present
        return try HostDoor(of: present, reset, in: context).handle
    }
}

/// The program that the orchestrator asks for.
///
/// - Throws: `Refusal` where it asks for none, or in words of another build.
func hostProgram(_ words: [String]) throws(Refusal) -> HostProgram {
    if let host = HostProgram(words: words) { return host }
    throw Refusal(
        words.isEmpty
            ? "hci-door is started by anechoic, for a device with `hci:` in its topology"
            : "anechoic and hci-door are of different builds; build or install them together")
}
