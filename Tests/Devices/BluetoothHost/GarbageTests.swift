import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

/// What a peer sends can be anything; it never ends the device, and every procedure completes once.
@Suite struct GarbageTests {
    /// A PDU of a random kind with small numbers in it, so that handles and lengths often exist.
    static func pdu(_ key: Keyed) -> [UInt8] {
        let opcodes = ATTOpcode.allCases.map(\.rawValue) + [0x20, 0x23, 0xD2, 0xFF]
        let opcode = opcodes[Int(key.with("opcode").below(UInt64(opcodes.count)))]
        let count = key.with("count").below(26)
        return [opcode]
            + (0..<count).map { index in
                let draw = key.with("byte").with(index)
                return draw.with("wide").below(8) == 0
                    ? UInt8(draw.below(256)) : UInt8(draw.below(24))
            }
    }

    static func frame(_ key: Keyed) -> [UInt8] {
        let channels: [UInt16] = [4, 4, 4, 4, 5, 6, 7]
        let channel = channels[Int(key.with("channel").below(UInt64(channels.count)))]
        var bytes = L2CAPFrame(channel: channel, payload: pdu(key)).bytes
        if key.with("cut").below(16) == 0 { bytes.removeLast() }
        return bytes
    }

    static func ask(_ client: GATTClient, _ which: UInt64, _ count: @escaping () -> Void) {
        let service = RemoteService(uuid: 0x1234, range: HandleRange(1, 20))
        let characteristic = RemoteCharacteristic(
            uuid: 0x1234, properties: .read, declaration: 2, value: 3, end: 20)
        switch which {
        case 0: client.exchangeMTU(100) { _ in count() }
        case 1: client.discoverServices { _ in count() }
        case 2: client.discoverServices(0x1234) { _ in count() }
        case 3: client.discoverCharacteristics(of: service) { _ in count() }
        case 4: client.discoverDescriptors(of: characteristic) { _ in count() }
        case 5: client.read(3) { _ in count() }
        case 6: client.readLong(3) { _ in count() }
        case 7: client.read(0x2800) { _ in count() }
        case 8: client.write(Array(0..<60), to: 3) { _ in count() }
        default: client.subscribe(.notifications, descriptor: 4) { _ in count() }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func garbageNeverEndsAServer(_ seed: UInt64) {
        let bond = Bond(key: Array(1...16))
        let wire = Wire.connected(bond: bond, build: ErrorCodeTests.build)
        let key = Keyed(seed).with("server")
        for index in 0..<200 as Range<UInt64> {
            wire.deliver(.acl(handle: 1, Self.frame(key.with(index))), to: wire.peripheral)
        }
        #expect(wire.back.isOpen)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func garbageNeverLosesAProcedure(_ seed: UInt64) {
        let wire = Wire.connected()
        wire.reachesPeripheral = false
        let key = Keyed(seed).with("client")
        var asked = 0
        var completed = 0
        for index in 0..<200 as Range<UInt64> {
            let draw = key.with(index)
            wire.inCentral {
                asked += 1
                Self.ask(wire.client, draw.with("ask").below(10)) { completed += 1 }
            }
            for part in 0..<8 as Range<UInt64> {
                wire.deliver(.acl(handle: 1, Self.frame(draw.with(part))), to: wire.central)
            }
        }
        #expect(completed > 0)
        wire.lose()
        #expect(completed == asked)
        #expect(wire.timers(of: wire.central).isEmpty)
    }
}
