import AccessoryProtocol
import AppleFoundation
import DeviceKit
import DeviceLink

/// A data link by the network: a connection to the service that the accessory offers there.
final class NetworkLink: DataLink {
    let service: NetworkService
    let told: Field
    let numbers = MessageNumbers.sample
    weak var accessory: AppAccessory?
    private var connection: NetworkConnection?
    private var retryTimer: Timer?
    private var isWanted = false

    /// How long the app waits before it tries again to open a connection, in seconds.
    private static let retryDelay = 1.0

    init(to service: NetworkService, on host: String) {
        self.service = service
        told = Field("peer", .text(host))
    }

    /// The network tells nothing by which a session could go on in the background.
    var bluetoothPeerIdentifier: UUID? { nil }

    func connect() {
        isWanted = true
        guard connection == nil, retryTimer == nil else { return }
        let connection = NetworkHost.current.open(service)
        self.connection = connection
        connection.didOpen = { [weak self] in self?.accessory?.linkDidConnect() }
        connection.didReceive = { [weak self] in self?.accessory?.received(Data($0)) }
        connection.didEnd = { [weak self] _ in self?.didEnd() }
    }

    func disconnect() {
        isWanted = false
        retryTimer?.invalidate()
        retryTimer = nil
        let wasOpen = connection?.state == .open
        connection?.close()
        connection = nil
        if wasOpen { accessory?.linkDidEnd() }
    }

    func send(_ data: Data) -> Bool {
        guard let connection else { return false }
        connection.send(Array(data))
        return true
    }

    /// Nobody subscribes to what comes by the network.
    func listen() {}

    /// Nothing has to be found: the connection carries messages.
    func prepare() { accessory?.linkIsReady() }

    func reset() {}

    /// A link that was there has ended, or could not be opened, which is tried again while it is wanted.
    private func didEnd() {
        connection = nil
        guard accessory?.linkState != .connected else {
            isWanted = false
            accessory?.linkDidEnd()
            return
        }
        retryTimer = Timer.scheduledTimer(withTimeInterval: Self.retryDelay, repeats: false) {
            [weak self] _ in
            guard let self else { return }
            retryTimer = nil
            if isWanted { connect() }
        }
    }
}
