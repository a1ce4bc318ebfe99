import Bluetooth
import Observer
import Testing

/// What the observer says of messages that were cut, or went to a handle of before.
struct MessageWordsTests {
    private let data = [UInt8](
        [1, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 10) + [21, 0xAA, 0xBB, 0xCC])

    private func discovered() -> HeardAir {
        var air = HeardAir()
        air.discover()
        return air
    }

    @Test func aMessageThatIsCutSaysWhatIsThereAndWhatTheMTUTakes() {
        var air = discovered()
        air.carry("ben", .exchangeMTURequest(185))
        air.carry("lock", .exchangeMTUResponse(100))
        #expect(
            air.sends("lock", .notification(HeardAir.tx, [0x01] + data)) == [
                "msg.malformed.sent link=1 peer=ben problem=20 of 38 bytes of "
                    + "accessoryConfigurationData; the MTU of 100 takes 97 id=1"
            ])
    }

    @Test func aWriteThatIsCutSaysSo() {
        var air = discovered()
        let shareable: [UInt8] = [1, 0, 0, 0, 23, 0x55, 0x53] + [UInt8](repeating: 9, count: 12)
        let problem = " problem=20 of 29 bytes of configureAndStart; the MTU of 23 takes 20"
        let written = air.sends("ben", .writeCommand(HeardAir.rx, [0x0B] + shareable))
        #expect(written.map { $0.hasSuffix(problem) } == [true])
        air.carry("ben", .prepareWriteRequest(HeardAir.rx, offset: 0, [0x0B] + shareable))
        let parts = air.sends("ben", .executeWriteRequest(commit: true))
        #expect(
            parts.map { $0.hasSuffix(" problem=20 of 29 bytes of configureAndStart") } == [true])
    }

    @Test func aHandleThatOnlyAnEarlierLifeShowedIsOld() {
        let initialize = ATTPDU.writeRequest(HeardAir.rx, [0x0A])
        var air = discovered()
        #expect(
            air.sends("ben", initialize) == [
                "msg.initialize.sent link=1 peer=lock session=1 length=1"
            ])
        air.connect(2, incarnation: 1, isBonded: true)
        #expect(
            air.carry("ben", initialize) == [
                "msg.initialize.sent link=2 peer=lock session=2 length=1 old-handle=3",
                "msg.initialize.received link=2 peer=ben session=2 length=1 old-handle=3",
            ])
        air.discover()
        #expect(
            air.sends("ben", initialize) == [
                "msg.initialize.sent link=2 peer=lock session=3 length=1"
            ])
    }
}
