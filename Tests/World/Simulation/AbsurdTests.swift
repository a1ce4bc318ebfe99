import DeviceLink
import Invariants
import Reports
import Scenarios
import Simulation
import TestSupport
import Testing
import Traces

@testable import Schedules

/// Frames that are well formed, with values that nobody would send: each is refused with a place and a
/// reason, or whole runs survive it and are judged.
@Suite struct AbsurdTests {
    private static let runs: UInt64 = isWhole ? 1_500 : 150

    @Test func noValueOfADeviceStopsTheCore() {
        let tally = Tally()
        for seed in 0..<Self.runs { play(Keyed(0xAB5).with(seed), tally) }
        // What cannot fail tells nothing: both ends were met often, and what was accepted did something.
        #expect(
            tally.refused > Self.runs * 4 / 3 && tally.accepted > Self.runs * 40 / 3,
            "\(tally.words)")
        #expect(tally.links > Self.runs / 5 && tally.rounds > Self.runs / 5, "\(tally.words)")
    }

    /// How often something happened.
    fileprivate final class Tally {
        var (refused, accepted, links, rounds) = (0, 0, 0, 0)

        var words: String {
            "\(refused) refused, \(accepted) accepted, \(links) links, \(rounds) rounds"
        }
    }

    /// One run of two devices that answer at random, with a scheduler of its own.
    private func play(_ key: Keyed, _ tally: Tally) {
        let topology = Topology(
            length: .milliseconds(400),
            devices: [
                DeviceSpec(name: "ben", program: .appleDevice(model: "iPhone15,4")),
                DeviceSpec(name: "lock", program: .accessory(profile: "qorvo")),
            ])
        let ben = AbsurdDevice(key.with("ben"), tally)
        let lock = AbsurdDevice(key.with("lock"), tally)
        var stage = Stage(
            topology, seed: key.value,
            scheduler: (key.value % 4 == 0 ? Strategy.fifo : .portfolio)
                .scheduler(seed: key.value),
            ["ben": { ben.turn($0) }, "lock": { lock.turn($0) }])
        var judge = Judge(topology)
        for event in stage.play() {
            judge.observe(event)
            if event.kind == .linkUp { tally.links += 1 }
            if event.kind == .uwbRound { tally.rounds += 1 }
        }
        _ = judge.verdict()
    }
}

/// A device whose answers are drawn: most values at the ends of their ranges, some beyond.
private final class AbsurdDevice {
    private let key: Keyed
    private var draws: UInt64 = 0
    private var turns = 0
    /// Whom it has heard of.
    private var peer = Address(0xC0FF_EE00_0102)
    private var handle: UInt16 = 0x40
    /// Each device is absurd to a measure of its own: one that is always refused gets nowhere.
    private let measure: UInt64
    private let tally: AbsurdTests.Tally

    init(_ key: Keyed, _ tally: AbsurdTests.Tally) {
        (self.key, self.tally) = (key, tally)
        measure = [0, 2, 10, 40][Int(key.with("measure").below(4))]
    }

    /// What is left of its answers when their frame has been read.
    func turn(_ event: DeviceEvent) -> [Answer] {
        turns += 1
        switch event {
        case .bluetooth(.advertisingReport(let peer, _, _, _, _)): self.peer = peer
        case .bluetooth(.connectionComplete(0, let handle, _, _, _)): self.handle = handle
        default: break
        }
        // It would go on for ever at one moment.
        guard turns < 60 else { return [] }
        var kept: [Answer] = []
        for _ in 0..<below(6) {
            guard let answer = read(answer()) else {
                tally.refused += 1
                continue
            }
            tally.accepted += 1
            kept.append(answer)
        }
        return kept
    }

    /// The answer behind the way through its bytes; nil where they are refused or it cannot be said.
    private func read(_ answer: Answer) -> Answer? {
        var bytes: [UInt8] = []
        guard (try? DeviceFrame.answers(turn: 1, [answer]).encode(into: &bytes)) != nil else {
            return nil
        }
        var reader = FrameReader(fence: EventKind.fence)
        reader.append(bytes)
        do throws(LinkError) {
            guard case .answers(_, let all)? = try reader.nextDeviceFrame() else { return nil }
            return all.first
        } catch {
            #expect(!error.expected.isEmpty && !error.found.isEmpty)
            #expect(error.offset < UInt64(bytes.count))
            return nil
        }
    }

    private func below(_ bound: UInt64) -> UInt64 {
        draws += 1
        return key.with(draws).below(bound)
    }

    private func pick<Value>(_ values: [Value]) -> Value {
        values[Int(below(UInt64(values.count)))]
    }

    /// One of the good values; now and then one that is none.
    private func number<Number: FixedWidthInteger>(_ good: Number...) -> Number {
        guard below(100) < measure else { return pick(good) }
        draws += 1
        let drawn = Number(truncatingIfNeeded: key.with(draws).value)
        return pick([0, 1, .max, .max - 1, .max / 2 + 1, drawn])
    }

    private func name(_ good: String...) -> String {
        guard below(100) < measure else { return pick(good) }
        return pick(["", "\u{0}", "\u{202E}", "a\nb", String(repeating: "n", count: 300), "\u{85}"])
    }

    private func bytes(_ count: Int) -> [UInt8] {
        draws += 1
        return key.with(draws).bytes(count)
    }

    private func timing() -> ConnectionParameters {
        ConnectionParameters(
            interval: number(6, 24, 3_200), latency: number(0, 0, 4, 499),
            timeout: number(10, 72, 1_000, 3_200))
    }

    private func address() -> Address {
        Address(number(peer.value, peer.value, 0), isRandom: below(9) > 0)
    }

    private func frame() -> [UInt8] {
        let channel = UInt8(truncatingIfNeeded: number(4, 4, 5, 6) as UInt16)
        let payload =
            [pick([0x02, 0x08, 0x0A, 0x10, 0x12, 0x1B, 0x52, 0xFF] as [UInt8])]
            + bytes(Int(below(24)))
        let length = number(UInt16(payload.count))
        return [UInt8(truncatingIfNeeded: length), UInt8(length >> 8), channel, 0] + payload
    }

    private func ranging() -> UWBParameters {
        UWBParameters(
            sessionID: number(9), address: number(1, 2), peer: number(2, 1),
            channel: number(5, 9), preamble: number(9, 12), stsIV: [1, 2, 3, 4, 5, 6],
            slotsPerRound: number(1, 6, .max), slotDuration: number(1, 2_400, .max),
            interval: number(1, 200, .max), isInitiator: below(2) == 0)
    }

    private func fields() -> [Field] {
        (0..<below(5)).map { _ in
            Field(
                name("peer", "peripheral", "ni-session", "link", "interval", "latency", "session"),
                pick([
                    .text(name("ben", "lock", "timeout")), .number(number(0, 1, .max, .min)),
                    .flag(true), .bytes(bytes(Int(below(40)))), .none,
                ]))
        }
    }

    private func answer() -> Answer {
        if turns == 1 || below(12) == 0 {
            return pick([
                .bluetooth(.advertise(interval: number(1, 32), data: bytes(3), scanResponse: [])),
                .bluetooth(.scan(active: true, period: number(0, 1, .max))),
            ])
        }
        switch below(14) {
        case 0:
            return .setTimer(
                name: name("a", "b"), after: number(0, 1, .max), slack: number(0, .max))
        case 1: return .cancelTimer(name: name("a", "b"))
        case 2: return .post(queue: name("a", "b"), item: number(0, .max))
        case 3:
            return .store(key: name("a", "bond/\(peer)"), value: below(4) == 0 ? nil : bytes(20))
        case 4:
            return .observe(
                kind: name(
                    "ni.didUpdate", "ni.run", "app.start", "mine", "accessory.error", "link.up"),
                fields: fields())
        case 5, 6: return .bluetooth(.connect(peer: address(), timing()))
        case 7: return .bluetooth(.cancelConnect(peer: address()))
        case 8, 9: return .bluetooth(.acl(handle: number(handle), frame()))
        case 10: return .bluetooth(.disconnect(handle: number(handle), reason: number(0x13, 0x3B)))
        case 11:
            return below(2) == 0
                ? .bluetooth(.encrypt(handle: number(handle), key: bytes(16)))
                : .bluetooth(.longTermKey(handle: number(handle), below(2) == 0 ? nil : bytes(16)))
        case 12: return .bluetooth(.updateConnection(handle: number(handle), timing()))
        default:
            return below(3) == 0
                ? .uwb(.stop(session: number(1, 2)))
                : .uwb(.start(session: number(1, 2), ranging()))
        }
    }
}
