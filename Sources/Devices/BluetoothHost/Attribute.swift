import Bluetooth

/// One row of a server's database.
struct Attribute {
    enum Kind: Equatable {
        /// Begins a group that lasts to the next service.
        case service
        case declaration
        case value
        /// Its value belongs to the connection; `allowed` is what the characteristic can do.
        case configuration(allowed: Subscription)
        case descriptor
        /// It was there, and its handle is not given again.
        case removed
    }

    let type: BluetoothUUID
    let kind: Kind
    var value: [UInt8]
    var length: GATTServer.ValueLength
    var read = Access.open
    var write = Access.forbidden
    var takesRequests = false
    var takesCommands = false
    var onRead: GATTServer.Read?
    var onWrite: GATTServer.Write?
    var onSubscribe: GATTServer.Subscribe?
    var onRequest: GATTServer.Request?

    /// An attribute that everybody may read and nobody may write; its value keeps its length unless one is given.
    init(
        _ kind: Kind, type: BluetoothUUID, value: [UInt8], length: GATTServer.ValueLength? = nil
    ) {
        self.type = type
        self.kind = kind
        self.value = value
        self.length = length ?? .fixed(value.count)
    }

    /// Whether a value of so many bytes can be written.
    func takes(length count: Int) -> Bool {
        switch length {
        case .fixed(let length): count == length
        case .atMost(let length): count <= length
        }
    }
}

/// What a server keeps for one connection.
struct ServerSession {
    /// By the handle of the configuration descriptor; only ever looked up.
    ///
    /// An entry that is empty was written in this connection.
    var subscriptions: [UInt16: Subscription] = [:]
    var prepared: [ValuePart] = []
    /// The request that waits for an owner's answer; nil for none.
    var pending: PendingRequest?
    /// Client Supported Features (Core Specification Vol 3 Part G 7.2).
    var features: UInt8 = 0
    /// Whether the client knows the attributes as they are.
    var awareness = ClientAwareness.aware
    /// Whether an indication of Service Changed is not confirmed yet.
    var isChangeUnconfirmed = false
    /// Which handles have changed since that indication.
    var change: HandleRange?
}

/// A request that the server does not answer, with the handle that is at fault: it refuses, or the owner
/// of an attribute has to say something first.
struct RefusedRequest: Error {
    let handle: UInt16
    let code: ATTErrorCode
    /// What the owner has to do first; nil where the request is refused.
    let demand: DeferredRequest.Demand?

    init(
        _ code: ATTErrorCode = .unlikelyError, awaiting demand: DeferredRequest.Demand? = nil,
        at handle: UInt16
    ) {
        (self.code, self.demand, self.handle) = (code, demand, handle)
    }
}

extension Access {
    /// Whether a connection may; `forbidden` is the answer where nobody may.
    func check(
        _ connection: Connection, forbidden: ATTErrorCode
    ) throws(ATTErrorCode) {
        let security = connection.security
        switch requirement {
        case .forbidden: throw forbidden
        case .open: break
        case .encrypted:
            guard security.isEncrypted else { throw .insufficientEncryption }
        case .authenticated:
            guard case .encrypted(_, true) = security else { throw .insufficientAuthentication }
        }
        if requirement != .open, case .encrypted(let size, _) = security, size < minimumKeySize {
            throw .insufficientEncryptionKeySize
        }
        if let isAuthorized, !isAuthorized(connection) { throw .insufficientAuthorization }
    }
}
