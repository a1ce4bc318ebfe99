import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

@Suite struct ConnectionParameterTests {
    static let healthy = ConnectionParameterRequest(
        minimumInterval: 24, maximumInterval: 36, latency: 4, timeout: 500)

    @Test func aHealthyRequestIsAcceptedAndActedUpon() {
        let wire = Wire.connected()
        let accepted = Box<Bool>()
        wire.inPeripheral { wire.back.requestParameters(Self.healthy, completion: accepted.take) }
        #expect(accepted.value == true)
        #expect(
            wire.others == [
                "accessory 5: 12 01 08 00 18 00 24 00 04 00 f4 01", "phone 5: 13 01 02 00 00 00",
            ])
        let chosen = ConnectionParameters(interval: 36, latency: 4, timeout: 500)
        #expect(wire.link.parameters == chosen && wire.back.parameters == chosen)
        #expect(wire.central.notes.last == "parameters 0 36")
        #expect(wire.peripheral.notes.last == "parameters 0 36")
        #expect(wire.timers(of: wire.peripheral).isEmpty)
    }

    @Test func theVendorFirmwaresOwnNumbersAreRefused() {
        let wire = Wire.connected()
        let accepted = Box<Bool>()
        // 25 … 250 ms, latency 6, supervision 16 s.
        let request = ConnectionParameterRequest(
            minimumInterval: 20, maximumInterval: 200, latency: 6, timeout: 1600)
        #expect(
            ConnectionParameterRules.apple.reasons(against: request) == [
                .intervalNotAMultiple, .timeoutTooLong,
            ])
        wire.inPeripheral { wire.back.requestParameters(request, completion: accepted.take) }
        #expect(accepted.value == false)
        #expect(wire.others.last == "phone 5: 13 01 02 00 01 00")
        #expect(wire.link.parameters == Wire.parameters)
    }

    /// A request, and what Apple's rules have against it.
    static let vectors: [(ConnectionParameterRequest, [ConnectionParameterRules.Reason])] = [
        (.init(minimumInterval: 12, maximumInterval: 12, latency: 0, timeout: 200), []),
        (.init(minimumInterval: 12, maximumInterval: 24, latency: 30, timeout: 300), []),
        (
            .init(minimumInterval: 6, maximumInterval: 24, latency: 0, timeout: 200),
            [.intervalTooShort, .intervalNotAMultiple]
        ),
        (
            .init(minimumInterval: 24, maximumInterval: 24, latency: 0, timeout: 200),
            [.intervalsTooClose]
        ),
        (
            .init(minimumInterval: 24, maximumInterval: 12, latency: 0, timeout: 200),
            [.invalidInterval]
        ),
        (
            .init(minimumInterval: 12, maximumInterval: 24, latency: 31, timeout: 600),
            [.latencyTooLong]
        ),
        (
            .init(minimumInterval: 12, maximumInterval: 120, latency: 15, timeout: 600),
            [.silenceTooLong, .timeoutTooShortForSilence]
        ),
        (
            .init(minimumInterval: 12, maximumInterval: 24, latency: 0, timeout: 199),
            [.timeoutTooShort]
        ),
        (
            .init(minimumInterval: 12, maximumInterval: 24, latency: 0, timeout: 601),
            [.timeoutTooLong]
        ),
        // 60 ms x 11 x 3 is 1.98 s, just less than the supervision timeout.
        (.init(minimumInterval: 12, maximumInterval: 48, latency: 10, timeout: 200), []),
        (
            .init(minimumInterval: 0, maximumInterval: 0xFFFF, latency: 0xFFFF, timeout: 0xFFFF),
            [
                .invalidInterval, .intervalTooShort, .latencyTooLong, .silenceTooLong,
                .timeoutTooShortForSilence, .timeoutTooLong,
            ]
        ),
    ]

    @Test(arguments: vectors.indices)
    func everyRuleHasItsReason(_ index: Int) {
        let (request, reasons) = Self.vectors[index]
        #expect(ConnectionParameterRules.apple.reasons(against: request) == reasons)
    }

    @Test func theCoreSpecificationAsksForLess() {
        let core = ConnectionParameterRules.core
        let fast = ConnectionParameterRequest(
            minimumInterval: 6, maximumInterval: 6, latency: 0, timeout: 10)
        #expect(core.reasons(against: fast).isEmpty)
        #expect(core.chosen(for: fast).interval == 6)
        let late = ConnectionParameterRequest(
            minimumInterval: 40, maximumInterval: 40, latency: 0, timeout: 10)
        #expect(core.reasons(against: late) == [.timeoutTooShortForSilence])
    }

    @Test func theIntervalGivenIsTheLongestMultiple() {
        func interval(_ minimum: UInt16, _ maximum: UInt16) -> UInt16 {
            ConnectionParameterRules.apple.chosen(
                for: .init(
                    minimumInterval: minimum, maximumInterval: maximum, latency: 0, timeout: 200)
            ).interval
        }
        #expect(interval(12, 47) == 36)
        #expect(interval(12, 48) == 48)
        #expect(interval(25, 30) == 30)
    }

    @Test func aPeripheralIsNotAskedForTiming() {
        let wire = Wire.connected()
        let request = SignallingPDU.parameterUpdateRequest(identifier: 9, Self.healthy).bytes
        wire.deliver(
            .acl(handle: 1, L2CAPFrame(channel: 5, payload: request).bytes), to: wire.peripheral)
        #expect(wire.others == ["accessory 5: 01 09 02 00 00 00"])
    }

    @Test func anUnknownCommandIsRejectedAndAnUnknownResponseIsNot() {
        let wire = Wire.connected()
        for code in [0x14, 0x15] as [UInt8] {
            let frame = L2CAPFrame(channel: 5, payload: [code, 3, 0, 0]).bytes
            wire.deliver(.acl(handle: 1, frame), to: wire.central)
        }
        #expect(wire.others == ["phone 5: 01 03 02 00 00 00"])
    }

    @Test func requestsAreMadeOneAfterTheOther() {
        let wire = Wire.connected()
        let accepted = Box<Bool>()
        wire.inPeripheral {
            wire.back.requestParameters(Self.healthy, completion: accepted.take)
            wire.back.requestParameters(Self.healthy, completion: accepted.take)
        }
        #expect(accepted.results == [.success(true), .success(true)])
        #expect(
            wire.others.map { $0.prefix(18) } == [
                "accessory 5: 12 01", "phone 5: 13 01 02 ", "accessory 5: 12 02",
                "phone 5: 13 02 02 ",
            ])
    }

    @Test func withoutAnAnswerTheRequestFailsAndTheLinkStays() {
        let wire = Wire.connected()
        let accepted = Box<Bool>()
        wire.reachesPeripheral = false
        wire.inPeripheral { wire.back.requestParameters(Self.healthy, completion: accepted.take) }
        // A response with another identifier is none.
        let other = SignallingPDU.parameterUpdateResponse(identifier: 7, isAccepted: true).bytes
        wire.deliver(
            .acl(handle: 1, L2CAPFrame(channel: 5, payload: other).bytes), to: wire.peripheral)
        #expect(accepted.results.isEmpty)
        #expect(wire.timers(of: wire.peripheral) == ["l2cap/0"])
        wire.advance(seconds: 30)
        #expect(accepted.results == [.failure(.timedOut)])
        #expect(wire.back.isOpen)
    }

    @Test func aRejectedCommandAndALostLinkFailTheRequest() {
        let wire = Wire.connected()
        let asked = Box<Bool>()
        wire.reachesPeripheral = false
        wire.inPeripheral {
            wire.back.requestParameters(Self.healthy, completion: asked.take)
            wire.back.requestParameters(Self.healthy, completion: asked.take)
        }
        let reject = SignallingPDU.commandReject(identifier: 1, reason: 0).bytes
        wire.deliver(
            .acl(handle: 1, L2CAPFrame(channel: 5, payload: reject).bytes), to: wire.peripheral)
        wire.lose()
        #expect(
            asked.results == [
                .failure(.invalidResponse("command reject, reason 0")),
                .failure(.disconnected(reason: 0x08)),
            ])
        #expect(wire.timers(of: wire.peripheral).isEmpty)
    }

    @Test func aChangeThatFailedIsNone() {
        let wire = Wire.connected()
        let other = ConnectionParameters(interval: 48, latency: 0, timeout: 600)
        let failed = BluetoothEvent.connectionUpdateComplete(status: 0x3B, handle: 1, other)
        wire.deliver(failed, to: wire.central)
        #expect(wire.link.parameters == Wire.parameters)
        #expect(wire.central.notes.last == "parameters 59 24")
    }

    @Test func aCentralChangesTheTimingByItself() {
        let wire = Wire.connected()
        let slow = ConnectionParameters(interval: 120, latency: 0, timeout: 600)
        wire.inCentral { wire.link.updateParameters(slow) }
        #expect(wire.back.parameters == slow)
        #expect(wire.others.isEmpty)
    }
}
