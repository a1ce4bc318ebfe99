import Bluetooth
import BluetoothHost
import DeviceKit

/// A device's post: short texts to and from devices that are known by name.
///
/// A device with `peers` connects to them and sends each its own name; the others advertise. A link
/// carries texts both ways, as write commands to the one characteristic that every device has at the
/// same handle, so that nothing has to be discovered. A link that has ended is not made again. A text that
/// a fault has spoilt is words as well; one that is missing is empty.
///
/// Parameters: `peers`, names with spaces between them (none), and `begin`, from power on to `onBegin`
/// in nanoseconds (1 s).
final class Post: HostDelegate {
    /// What a device with a post knows besides its own parameters.
    static let parameters = ["peers", "begin"]

    /// The peers that it connects to, in the order of the parameter.
    let peers: [String]
    /// Whether the device's defect is switched on.
    let isDefective: Bool
    /// All peers are there, and it is time.
    var onBegin: () -> Void = {}
    /// Words came from a device of this name.
    var onWords: (_ words: [Substring], _ sender: String) -> Void = { _, _ in }

    private let name: String
    private let begin: Nanoseconds
    private let context: Context
    private let host: Host
    private var letterbox: UInt16 = 0
    /// Those that were heard, or have introduced themselves; looked up only.
    private var names: [Address: String] = [:]
    private var isTime = false

    /// The post of a device that has one defect or none.
    ///
    /// - Throws: `Refusal` where a parameter is no number, or another defect is switched on.
    init(
        _ reset: Reset, parameters: Parameters, defect: String? = nil, in context: Context
    ) throws(Refusal) {
        if let other = reset.defects.first(where: { $0 != defect }) {
            throw .unknown("defect", named: other, known: defect.map { [$0] } ?? [])
        }
        isDefective = !reset.defects.isEmpty
        peers = (parameters["peers"] ?? "").split(separator: " ").map(String.init)
        begin = try parameters.number("begin", default: .seconds(1))
        name = reset.name
        self.context = context
        host = Host(in: context, stored: reset.stored)
        host.delegate = self
        host.server.addService("2D5A0001-6F1C-4B1E-9C53-0A8C1E6F7B20")
        letterbox =
            host.server.addCharacteristic(
                "2D5A0002-6F1C-4B1E-9C53-0A8C1E6F7B20", properties: .writeWithoutResponse,
                onWrite: { [unowned self] connection, bytes in
                    receive(String(decoding: bytes, as: UTF8.self), on: connection)
                }
            ).value
    }

    /// Takes an event of the device's turn; false where it is none of the post's.
    func handle(_ event: DeviceEvent) -> Bool {
        if host.handle(event) { return true }
        switch event {
        case .boot: open()
        case .timer("begin"):
            isTime = true
            beginIfReady()
        case .timer, .queue, .command, .bluetooth, .uwb, .camera, .network: return false
        }
        return true
    }

    /// Sends a text of at most 20 bytes; lost where there is no link with the peer, or it takes no more.
    func send(_ text: String, to peer: String) {
        guard let connection = host.connections.first(where: { names[$0.peer] == peer }) else {
            return
        }
        send(text, on: connection)
    }

    /// Sends a text to all that it calls.
    func broadcast(_ text: String) {
        for peer in peers { send(text, to: peer) }
    }

    func host(_ host: Host, didReceive report: AdvertisingReport) {
        guard let name = report.data.localName, peers.contains(name), names[report.peer] == nil
        else { return }
        names[report.peer] = name
        if names.count == peers.count { host.stopScanning() }
        host.connect(to: report.peer, ConnectionParameters(interval: 6, latency: 0, timeout: 72))
    }

    func host(_ host: Host, didConnect connection: Connection) {
        guard connection.isCentral else { return advertise() }
        send(name, on: connection)
        beginIfReady()
    }

    func host(_ host: Host, didDisconnect connection: Connection, reason: UInt8) {
        if !connection.isCentral { advertise() }
    }

    private func open() {
        guard !peers.isEmpty else { return advertise() }
        host.scan(isActive: false, period: 1)
        context.setTimer("begin", after: begin)
    }

    private func advertise() {
        try? host.advertise(AdvertisingData(localName: name), interval: 32)
    }

    private func beginIfReady() {
        if isTime, host.connections.count == peers.count { onBegin() }
    }

    private func send(_ text: String, on connection: Connection) {
        _ = connection.client.writeWithoutResponse(Array(text.utf8), to: letterbox)
    }

    /// The first text on a link is the name of who has called.
    private func receive(_ text: String, on connection: Connection) {
        guard let sender = names[connection.peer] else { return names[connection.peer] = text }
        onWords(text.split(separator: " "), sender)
    }
}

extension [Substring] {
    /// The word at a place; empty where there is none.
    func word(_ place: Int) -> Substring { indices.contains(place) ? self[place] : "" }
}
