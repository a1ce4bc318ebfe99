import DeviceKit

/// What central and peripheral managers have in common.
public class CBManager {
    /// What the radio can do; `unknown` until the delegate was told.
    public internal(set) var state = CBManagerState.unknown
    /// Where callbacks come.
    private let queue: DispatchQueue
    /// Whether the app has ended to which it belongs.
    private var isOfThePast = false

    init(queue: DispatchQueue?) { self.queue = queue ?? .main }

    /// Does something in a turn of its own, on the queue of callbacks.
    func post(_ work: @escaping () -> Void) { if !isOfThePast { queue.post(work) } }

    /// The app has ended: what its global variables held hears nothing more, for it lives only because nobody lets go of
    /// it.
    func appHasEnded() { isOfThePast = true }

    /// Whether Bluetooth can be used now; what was called while it cannot is told in the log.
    func isUsable(_ what: String) -> Bool {
        if state == .poweredOn { return true }
        Context.current.log("API MISUSE: \(what) while Bluetooth is not powered on")
        return false
    }

    /// Whether this app may use Bluetooth.
    public static var authorization: CBManagerAuthorization {
        BluetoothSystem.current.access.authorization
    }

    /// The same, as it was before iOS 13.1.
    public var authorization: CBManagerAuthorization { Self.authorization }
}

/// Whether an app may use Bluetooth.
public enum CBManagerAuthorization: Int, Sendable {
    /// The user has not been asked.
    case notDetermined = 0
    /// The app may not, and the user cannot change it.
    case restricted = 1
    /// The user does not allow it.
    case denied = 2
    case allowedAlways = 3
}

/// What a device lets its apps do with Bluetooth.
package enum BluetoothAccess: String, CaseIterable, Sendable {
    case allowed
    /// The user does not allow it.
    case denied
    /// The device's owner does not allow it.
    case restricted
    /// There is no Bluetooth LE.
    case unsupported

    var authorization: CBManagerAuthorization {
        switch self {
        case .allowed, .unsupported: .allowedAlways
        case .denied: .denied
        case .restricted: .restricted
        }
    }
}

extension BluetoothSystem {
    /// What a manager's delegate is told.
    var state: CBManagerState {
        switch access {
        case .denied, .restricted: .unauthorized
        case .unsupported: .unsupported
        case .allowed: isResetting ? .resetting : isPoweredOn ? .poweredOn : .poweredOff
        }
    }
}
