import DeviceKit

/// Firmware that advertises its name and blinks once a second.
final class Beacon: Device {
    private let context: Context
    private let interval: UInt16

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        // What a topology says of the device; durations come in nanoseconds.
        let parameters = try Parameters(reset, known: ["interval"])
        let nanoseconds: UInt64 = try parameters.number("interval", default: 100_000_000)
        guard let interval = UInt16(exactly: nanoseconds / 625_000), interval >= 32 else {
            throw Refusal("the parameter \"interval\" is 20ms to 40s")
        }
        self.interval = interval
        self.context = context
    }

    func handle(_ event: DeviceEvent) {
        switch event {
        case .boot:
            advertise()
            blink()
        case .timer("blink"):
            blink()
        case .bluetooth(.connectionComplete(status: 0, _, _, let peer, _)):
            context.log("\(peer) has connected")
        case .bluetooth(.disconnectionComplete):
            // A connection has ended the advertising.
            advertise()
        default:
            break
        }
    }

    private func advertise() {
        let name = Array(context.name.utf8.prefix(26))
        let data = [0x02, 0x01, 0x06, UInt8(name.count + 1), 0x09] + name
        context.answer(.bluetooth(.advertise(interval: interval, data: data, scanResponse: [])))
    }

    private func blink() {
        context.observe("beacon.blinked")
        context.setTimer("blink", after: 1_000_000_000)
    }
}

DeviceKit.run(Beacon.self, program: "beacon")
