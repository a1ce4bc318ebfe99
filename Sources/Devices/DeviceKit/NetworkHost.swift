public import DeviceLink

/// The network as the programs on a device see it: what they offer, what they look for, and their connections.
///
/// One for each incarnation of a device; whoever makes it hands it the device's events.
public final class NetworkHost {
    private let context: Context
    private var listeners: [(service: NetworkService, accept: (NetworkConnection) -> Void)] = []
    private var browsers: [NetworkBrowser] = []
    private var connections: [NetworkConnection] = []
    private var nextNumber: UInt32 = 1
    private var received: [(host: String, bytes: [UInt8])] = []

    /// The network of one incarnation; `current` finds it on this context.
    public init(in context: Context) {
        self.context = context
        context.attachments[NetworkHost.self] = self
    }

    deinit { for connection in connections { connection.forget() } }

    /// That of the device whose turn it is.
    package static var current: NetworkHost {
        Context.attached(rule: "the network works only on a simulated device that has one")
    }

    /// Takes an event of the network; false where it is none.
    public func handle(_ event: DeviceEvent) -> Bool {
        guard case .network(let event) = event else { return false }
        switch event {
        case .found(let service, let host, let record):
            for browser in browsers where browser.type == service.type {
                browser.found(service, host, record)
            }
        case .lost(let service, let host):
            for browser in browsers where browser.type == service.type {
                browser.lost(service, host)
            }
        case .opened(let number, let service, let host): opened(number, service, by: host)
        case .received(let number, let bytes):
            guard let connection = connection(number) else { break }
            remember(bytes, from: connection.peer)
            connection.receive(bytes)
        case .closed(let number, let end):
            guard let connection = connection(number) else { break }
            connections.removeAll { $0 === connection }
            connection.end(end)
        }
        return true
    }

    private func connection(_ number: UInt32) -> NetworkConnection? {
        connections.first { $0.number == number }
    }

    private func opened(_ number: UInt32, _ service: NetworkService, by host: String) {
        if let connection = connection(number) { return connection.open(to: host) }
        let connection = NetworkConnection(number, service, on: self)
        guard let listener = listeners.first(where: { $0.service == service }) else {
            return context.answer(.network(.close(connection: number)))
        }
        connections.append(connection)
        connection.open(to: host)
        listener.accept(connection)
    }

    // MARK: Who has sent what

    /// How many messages are remembered for `sender`.
    private static let remembered = 64

    private func remember(_ bytes: [UInt8], from host: String?) {
        guard let host else { return }
        if received.count == Self.remembered { received.removeFirst() }
        received.append((host, bytes))
    }

    /// The device that has sent a message which ends in these bytes; the latest where there are several.
    package func sender(of bytes: [UInt8]) -> String? {
        received.last { $0.bytes.suffix(bytes.count).elementsEqual(bytes) }?.host
    }

    /// Whether a device of this name has sent anything of late.
    package func knows(_ host: String) -> Bool { received.contains { $0.host == host } }

    // MARK: Services

    /// Offers a service; each connection that somebody opens to it is given to `accept`, open.
    public func publish(
        _ service: NetworkService, record: [UInt8] = [],
        accept: @escaping (NetworkConnection) -> Void
    ) {
        listeners.removeAll { $0.service == service }
        listeners.append((service, accept))
        context.answer(.network(.publish(service, record: record)))
    }

    /// Offers it no more; connections stay.
    public func withdraw(_ service: NetworkService) {
        guard listeners.contains(where: { $0.service == service }) else { return }
        listeners.removeAll { $0.service == service }
        context.answer(.network(.withdraw(service)))
    }

    /// Looks for services of a type until the browser is cancelled.
    public func browse(
        type: String, found: @escaping (NetworkService, _ host: String, _ record: [UInt8]) -> Void,
        lost: @escaping (NetworkService, _ host: String) -> Void
    ) -> NetworkBrowser {
        let isNew = !browsers.contains { $0.type == type }
        let browser = NetworkBrowser(type, on: self, found, lost)
        browsers.append(browser)
        // Asked anew, the network tells a further browser, too, what is there.
        if !isNew { context.answer(.network(.stopBrowsing(type: type))) }
        context.answer(.network(.browse(type: type)))
        return browser
    }

    func cancel(_ browser: NetworkBrowser) {
        guard browsers.contains(where: { $0 === browser }) else { return }
        browsers.removeAll { $0 === browser }
        guard !browsers.contains(where: { $0.type == browser.type }) else { return }
        context.answer(.network(.stopBrowsing(type: browser.type)))
    }

    // MARK: Connections

    /// Opens a connection to a service that somebody else offers.
    public func open(_ service: NetworkService) -> NetworkConnection {
        let connection = NetworkConnection(nextNumber, service, on: self)
        nextNumber += 1
        connections.append(connection)
        context.answer(.network(.open(connection: connection.number, service)))
        return connection
    }

    func send(_ bytes: [UInt8], isReliable: Bool, on connection: NetworkConnection) {
        context.answer(
            .network(.send(connection: connection.number, isReliable: isReliable, bytes)))
    }

    func close(_ connection: NetworkConnection) {
        guard connections.contains(where: { $0 === connection }) else { return }
        connections.removeAll { $0 === connection }
        context.answer(.network(.close(connection: connection.number)))
    }

    /// The program is gone, and with it all that it had.
    public func endAll() {
        for listener in listeners { context.answer(.network(.withdraw(listener.service))) }
        listeners = []
        for browser in browsers { cancel(browser) }
        for connection in connections { close(connection) }
    }
}

/// One who looks for services of a type.
public final class NetworkBrowser {
    let type: String
    let found: (NetworkService, String, [UInt8]) -> Void
    let lost: (NetworkService, String) -> Void
    private weak var host: NetworkHost?

    init(
        _ type: String, on host: NetworkHost,
        _ found: @escaping (NetworkService, String, [UInt8]) -> Void,
        _ lost: @escaping (NetworkService, String) -> Void
    ) {
        (self.type, self.host, self.found, self.lost) = (type, host, found, lost)
    }

    /// Looks no more.
    public func cancel() { host?.cancel(self) }
}

/// A connection on the network, which carries messages whole.
public final class NetworkConnection {
    /// Where it is in its life.
    public enum State: Equatable, Sendable {
        case opening, open
        case ended(NetworkEnd?)
    }

    let number: UInt32
    public let service: NetworkService
    /// The name of the device at the other end; nil until the connection is there.
    public private(set) var peer: String?
    public private(set) var state = State.opening
    /// Called when the connection is there.
    public var didOpen: () -> Void = {}
    /// Called for each message.
    public var didReceive: ([UInt8]) -> Void = { _ in }
    /// Called when it has ended other than by `close`.
    public var didEnd: (NetworkEnd) -> Void = { _ in }
    private weak var host: NetworkHost?

    init(_ number: UInt32, _ service: NetworkService, on host: NetworkHost) {
        (self.number, self.service, self.host) = (number, service, host)
    }

    /// Sends a message of at most 65,535 bytes; nothing where the connection is not there.
    ///
    /// A reliable one arrives behind those before it, or the connection ends; another may be lost.
    public func send(_ bytes: [UInt8], isReliable: Bool = true) {
        guard state == .open else { return }
        host?.send(bytes, isReliable: isReliable, on: self)
    }

    /// Ends it; nothing more is heard of it.
    public func close() {
        guard state == .opening || state == .open else { return }
        state = .ended(nil)
        forget()
        host?.close(self)
    }

    func open(to peer: String) {
        guard state == .opening else { return }
        self.peer = peer
        state = .open
        didOpen()
    }

    func receive(_ bytes: [UInt8]) { if state == .open { didReceive(bytes) } }

    func end(_ end: NetworkEnd) {
        guard state == .opening || state == .open else { return }
        state = .ended(end)
        let didEnd = didEnd
        forget()
        didEnd(end)
    }

    /// Whoever is told of a connection may hold on to it, and it to them: that ends with it.
    fileprivate func forget() {
        didOpen = {}
        didReceive = { _ in }
        didEnd = { _ in }
    }
}
