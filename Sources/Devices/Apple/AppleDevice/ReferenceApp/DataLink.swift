import AccessoryProtocol
import AppleFoundation
import DeviceLink

/// The two-way data link of the app and an accessory (R4 2.4), by whatever it goes.
///
/// What becomes of it the accessory is told: `linkDidConnect`, `linkIsReady`, `received`, `linkDidEnd`.
protocol DataLink: AnyObject {
    /// Whose link it is.
    var accessory: AppAccessory? { get set }
    /// What every observation of the accessory begins with.
    var told: Field { get }
    /// The first byte of each message.
    var numbers: MessageNumbers { get }
    /// By what the system knows the accessory where it is to range in the background; nil where it cannot.
    var bluetoothPeerIdentifier: UUID? { get }

    /// Wants the link, until `disconnect`.
    func connect()
    func disconnect()
    /// Sends a message, id first; false where there is nobody to send it to yet.
    func send(_ data: Data) -> Bool
    /// Subscribes anew, unless that has just been done: some accessories send their configuration data then.
    func listen()
    /// The link is there: makes what is needed for messages, up to `linkIsReady`.
    func prepare()
    func reset()
}
