import Bluetooth
import BluetoothHost
import DeviceKit

/// A frame, a signal and a PDU of the attribute protocol: what can be read means the same once it is
/// written, and a frame is written as it was read.
func playPDU(_ bytes: UnsafeRawBufferPointer) {
    let whole = Array(bytes)
    if let frame = try? L2CAPFrame(whole) {
        demand(frame.bytes == whole, "a frame that is written in another way")
    }
    if let signal = try? SignallingPDU(whole) {
        demand((try? SignallingPDU(signal.bytes)) == signal, "a signal that changes when written")
    }
    if let pdu = try? SMPPDU(whole[...]) {
        demand(pdu.bytes == whole, "a security PDU that is written in another way")
    }
    if let pdu = try? ATTPDU(whole) {
        demand((try? ATTPDU(pdu.bytes)) == pdu, "an ATT PDU that changes when it is written")
    }
}

/// A peer that does at our server whatever the input says.
func playServer(_ bytes: UnsafeRawBufferPointer) {
    var input = InputReader(bytes)
    let owner = Owner()
    let bench = HostBench(isCentral: false) { buildServer($0, owner) }
    while !input.isAtEnd {
        switch input.below(16) {
        case 0...7: bench.receive(input.block(), on: L2CAPChannel.attribute)
        case 8: bench.receive(input.block())
        case 9: bench.receive(input.block(), on: UInt16(input.byte()))
        case 10: bench.complete(input.below(17))
        case 11: bench.completeTooMany(input.number())
        case 12:
            bench.act { owner.answer(on: bench) }
            bench.passTime()
        case 13: bench.tell(.longTermKeyRequest(handle: 1))
        case 14:
            bench.tell(
                .encryptionChange(status: input.byte(), handle: 1, isEncrypted: input.below(2) == 0)
            )
        default: notify(&input, bench)
        }
    }
    bench.lose()
}

/// A database with something of every kind, and with something to refuse.
private func buildServer(_ server: GATTServer, _ owner: Owner) {
    server.addGenericServices(name: "lock")
    server.addService(0x1234)
    server.addCharacteristic(0xAA01, properties: [.read, .write], value: Array(0..<40))
    server.addCharacteristic(
        0xAA02, properties: [.read, .write], value: [1, 2], length: .fixed(2))
    server.addCharacteristic(0xAA03, properties: [.notify, .indicate, .writeWithoutResponse])
    server.addDescriptor(0x2901, value: Array("door".utf8))
    server.addCharacteristic(0xAA04, properties: .read, read: .encrypted)
    server.addCharacteristic(
        0xAA05, properties: .write,
        onWrite: { connection, value throws(ATTErrorCode) in
            if let code = value.first { throw ATTErrorCode(rawValue: code) }
        })
    server.addService("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
    server.addCharacteristic(
        "6E400003-B5A3-F393-E0A9-E50E24DCCA9E", properties: [.read, .notify],
        onRead: { _ in Array(repeating: 7, count: 300) })
    owner.service = server.addService(0x5678)
    server.addCharacteristic(
        0xAA06, properties: [.read, .write, .writeWithoutResponse],
        onRequest: { owner.requests.append($0) })
    server.addService(0x9ABC)
}

/// Who answers for an attribute: in turn with a value and with a refusal, and takes it away at last.
private final class Owner {
    var requests: [DeferredRequest] = []
    var service: GATTServer.Service?
    private var answers = 0

    func answer(on bench: HostBench) {
        for request in requests {
            answers += 1
            let value = [UInt8](repeating: 1, count: 20 * (answers % 30))
            request.answer(answers % 3 == 0 ? .failure(.valueNotAllowed) : .success(value))
        }
        requests = []
        guard answers > 8, let service, let connection = bench.connection else { return }
        self.service = nil
        let range = bench.server.range(of: service)
        bench.server.remove(service)
        bench.server.indicateChange(of: range, to: connection)
    }
}

private func notify(_ input: inout InputReader, _ bench: HostBench) {
    guard let connection = bench.connection, let door = bench.server.characteristic(0xAA03) else {
        return
    }
    let value = Array(repeating: input.byte(), count: Int(input.byte()) * 3)
    let isIndication = input.below(2) == 0
    bench.act {
        _ =
            isIndication
            ? bench.server.indicate(value, of: door, to: connection)
            : bench.server.notify(value, of: door, to: connection)
    }
}

/// A peer that answers our client whatever the input says: every procedure ends once.
func playClient(_ bytes: UnsafeRawBufferPointer) {
    var input = InputReader(bytes)
    let bench = HostBench(isCentral: true)
    let ends = Ends()
    while !input.isAtEnd {
        switch input.below(16) {
        case 0...5: bench.receive(input.block(), on: L2CAPChannel.attribute)
        case 6...10: ask(&input, bench, ends)
        case 11: bench.receive(input.block(), on: UInt16(input.byte()))
        case 12: bench.complete(input.below(17))
        case 13: bench.passTime()
        case 14: bench.receive(input.block())
        default:
            bench.tell(
                .encryptionChange(status: input.byte(), handle: 1, isEncrypted: input.below(2) == 0)
            )
        }
    }
    bench.lose()
    demand(ends.counts.allSatisfy { $0 == 1 }, "procedures that ended so often: \(ends.counts)")
}

/// How often each procedure has ended.
private final class Ends {
    var counts: [Int] = []

    func next<Value>() -> (Result<Value, GATTError>) -> Void {
        let place = counts.count
        counts.append(0)
        return { [self] _ in counts[place] += 1 }
    }
}

private func ask(_ input: inout InputReader, _ bench: HostBench, _ ends: Ends) {
    guard let client = bench.connection?.client else { return }
    let service = RemoteService(uuid: 0x1234, range: HandleRange(1, 20))
    let characteristic = RemoteCharacteristic(
        uuid: 0x1234, properties: .read, declaration: 2, value: 3, end: 20)
    let which = input.below(11)
    bench.act {
        switch which {
        case 0: client.exchangeMTU(100, completion: ends.next())
        case 1: client.discoverServices(completion: ends.next())
        case 2: client.discoverServices(0x1234, completion: ends.next())
        case 3: client.discoverCharacteristics(of: service, completion: ends.next())
        case 4: client.discoverDescriptors(of: characteristic, completion: ends.next())
        case 5: client.read(3, completion: ends.next())
        case 6: client.readLong(3, completion: ends.next())
        case 7: client.read(BluetoothUUID(0x2800), completion: ends.next())
        case 8: client.write(Array(0..<60), to: 3, completion: ends.next())
        case 9: client.subscribe(.notifications, descriptor: 4, completion: ends.next())
        default: _ = client.writeWithoutResponse([1, 2, 3], to: 3)
        }
    }
}
