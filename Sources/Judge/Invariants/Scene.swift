import Basics
import DeviceLink
package import Monitors
import Traces

/// What holds in a run at one moment, as far as the promises need it: who lives, which links are up,
/// which radios are on, and whose data is whose.
///
/// The judge keeps one scene and lets it take in every event before the promises see it.
package struct Scene: Sendable {
    /// How much longer than it says every bound is: by as much devices by the wall clock are behind.
    var slack = Nanoseconds.zero

    /// A device as the trace has shown it so far.
    package struct Device: Sendable {
        /// Its process is gone, or has not been started yet.
        package var isDead = false
        /// It gets no turns.
        package var isFrozen = false
        /// Its app was told that it is in the background.
        package var isInBackground = false
        /// Its app was terminated and not launched again.
        package var isAppGone = false
        package var isBluetoothOff = false
        /// Whether its host last turned advertising on: `air.advertising`.
        package var isAdvertising = false
        /// Whether its host last turned scanning on: `air.scanning`.
        package var isScanning = false
        package var starts = 0

        package var canAct: Bool { !isDead && !isFrozen }
    }

    /// A connection, from the air or as one host was told.
    package struct Link: Sendable {
        /// The device that connected: the phone.
        package var central = ""
        /// The device it connected to: the accessory.
        package var peripheral = ""
        /// Whether the central's host was told that it is up and not yet that it is down.
        package var isUpAtCentral = false
        /// Whether the peripheral's host was.
        package var isUpAtPeripheral = false
        package var isOnAir = false
        /// Whether the central has subscribed to the accessory's messages.
        package var isSubscribed = false
        /// Whether its central was told that it is encrypted.
        package var isEncrypted = false
        /// The ATT requests of its central that wait, or may have waited, for a response.
        var requests = RequestChain()

        /// Whether anybody still knows of it.
        var isKnown: Bool { isUpAtCentral || isUpAtPeripheral || isOnAir }

        /// Whether `device`'s host holds it to be up.
        package func isUp(at device: String) -> Bool {
            device == central ? isUpAtCentral : device == peripheral && isUpAtPeripheral
        }

        package func peer(of device: String) -> String {
            device == central ? peripheral : central
        }
    }

    package struct SessionKey: Hashable, Sendable {
        package let device: String
        /// The number of the NISession on its device, as the field `ni-session` has it.
        package let ordinal: Int64
    }

    /// A ranging session of a device's UWB radio.
    package struct RadioKey: Hashable, Sendable {
        package let device: String
        /// The device's own name for it.
        package let handle: Int64
    }

    /// What a UWB radio was asked for.
    package struct Radio: Sendable {
        package let sessionID: Int64
        /// This side's short address in the ranging session, 16 bits.
        package let address: Int64
        package let peerAddress: Int64
        /// What else two radios have to have the same, as the event shows it, and whether it begins rounds.
        package let parameters: Parameters
        /// The link whose configuration started it; nil where that is not known.
        package let link: Int64?
        package let cause: Citation
        package var isOn = false
    }

    /// The parameters of a ranging session that two radios have to share.
    package struct Parameters: Equatable, Sendable {
        /// All but what tells the sides apart.
        let shared: [Field]
        /// Which side of a round it is.
        let role: Field.Value?

        /// The parameters that `uwb.starting` shows; those that a trace leaves out count as equal.
        init(_ event: TraceEvent) {
            shared = event.fields.filter {
                !["handle", "session-id", "address", "peer-address", "role"].contains($0.name)
            }
            role = event["role"]
        }

        /// Whether a radio with these and one with those hear one another.
        func match(_ other: Parameters) -> Bool {
            shared == other.shared && (role == nil || role != other.role)
        }
    }

    /// The topology's length is over: no new obligation opens.
    package internal(set) var isClosing = false
    /// Whether a fault is active or planned.
    package internal(set) var isUnderFault = false
    /// Whether the trace tells which devices are started.
    var tellsStarts = false

    var devices: SmallMap<String, Device> = [:]
    var links: SmallMap<Int64, Link> = [:]
    /// Links that neither host nor air has any more; the next event removes them.
    var leaving: [Int64] = []
    /// Links on which a pair subscribed while encrypted: the subscription outlives the link.
    var bondedSubscriptions: SmallMap<String, Bool> = [:]
    var peers: SmallMap<SessionKey, String> = [:]
    var radios: SmallMap<RadioKey, Radio> = [:]
    /// The accessories that have sent configuration data without an `initialize`.
    var unasked: [String] = []
    /// The accessories that have said that they range, or do not.
    var acknowledging: [String] = []
    /// The radio's session that the present event ended.
    package internal(set) var endedRadio: Radio?
    /// Which link a configureAndStart with a session id was received on.
    var configuredLinks = BoundedMap<RangingKey, Int64>(capacity: 4_096)
    /// Which NISession generated some shareable data.
    var generated = BoundedMap<[UInt8], SessionKey>(capacity: 4_096)
    /// Which accessories a phone received some configuration data from, by phone and data.
    var configurations = BoundedMap<ConfigurationKey, [String]>(capacity: 4_096)

    struct RangingKey: Hashable, Sendable {
        let device: String
        let sessionID: Int64
    }

    struct ConfigurationKey: Hashable, Sendable {
        let phone: String
        let bytes: [UInt8]
    }

    package init() {}

    /// Is empty again; capacity is kept.
    mutating func reset() {
        (isClosing, isUnderFault, tellsStarts) = (false, false, false)
        devices.removeAll()
        links.removeAll()
        leaving.removeAll(keepingCapacity: true)
        bondedSubscriptions.removeAll()
        peers.removeAll()
        radios.removeAll()
        unasked.removeAll()
        acknowledging.removeAll()
        endedRadio = nil
        configuredLinks.removeAll()
        generated.removeAll()
        configurations.removeAll()
    }

    /// A device; one that was never mentioned is alive, unless the trace tells who is started.
    package func device(_ name: String) -> Device {
        if let device = devices[name] { return device }
        var unknown = Device()
        unknown.isDead = tellsStarts
        return unknown
    }

    /// A link that somebody still knows of, or did until this event.
    package func link(_ number: Int64?) -> Link? { number.flatMap { links[$0] } }

    /// Whether an accessory sends configuration data by itself, which R4 leaves to its maker (3.2).
    func sendsUnasked(_ device: String) -> Bool { unasked.contains(device) }

    /// Whether an accessory says DidStart and DidStop, which R4 does not ask for.
    func acknowledges(_ device: String) -> Bool { acknowledging.contains(device) }

    /// The accessory an NISession is for, as far as it is known.
    package func peer(of session: SessionKey) -> String? { peers[session] }

    /// The accessories that a phone received some configuration data from.
    package func sources(of configuration: [UInt8], at phone: String) -> [String] {
        configurations[ConfigurationKey(phone: phone, bytes: configuration)] ?? []
    }

    /// The number of a link between two devices that `device` holds to be up; the newest of several.
    package func link(of device: String, to peer: String) -> Int64? {
        links.filter { $0.value.isUp(at: device) && $0.value.peer(of: device) == peer }
            .map(\.key).max()
    }

    /// Those to whom a device has a link that is up, as it was told, the oldest link first.
    package func linkedPeers(of device: String) -> [String] {
        links.filter { $0.value.isUp(at: device) }.sorted { $0.key < $1.key }
            .compactMap { $0.value.peer(of: device) }
    }

    /// Whether a device has a link that is up, as it was told.
    package func hasLink(_ device: String) -> Bool {
        links.contains { $0.value.isUp(at: device) }
    }

    /// The radios of a device for one link, by handle.
    package func radios(of device: String, link: Int64) -> [(key: RadioKey, radio: Radio)] {
        allRadios(of: device).filter { $0.radio.link == link }
    }

    /// All radios of a device, by handle.
    package func allRadios(of device: String) -> [(key: RadioKey, radio: Radio)] {
        radios.filter { $0.key.device == device }.map { (key: $0.key, radio: $0.value) }
            .sorted { $0.key.handle < $1.key.handle }
    }

    /// What a UWB radio was asked for and has not ended.
    package func radio(_ key: RadioKey) -> Radio? { radios[key] }
}

/// The requests of one client on one link, to tell whether one may have waited in a queue.
///
/// A client may have one request outstanding (Core Spec Vol 3 Part F 3.3.2); what else an app writes
/// waits in its host. While one response follows another request in the same step, the queue may not
/// have been empty since the chain began.
struct RequestChain: Sendable {
    /// The number of the event with which the present chain began.
    private var start: UInt64 = .max
    private var isOutstanding = false
    /// The step in which the last response arrived.
    private var idleStep: UInt64 = .max

    mutating func sent(_ event: TraceEvent) {
        if !isOutstanding && event.step != idleStep { start = event.number }
        isOutstanding = true
    }

    mutating func received(_ event: TraceEvent) {
        isOutstanding = false
        idleStep = event.step
    }

    /// Whether the client waits for a response.
    var isWaiting: Bool { isOutstanding }

    /// Whether the message of `event`, whose PDU was the event before, may have waited for a response.
    func hasWaited(_ event: TraceEvent) -> Bool {
        event.number > 0 && mayHaveWaited(since: event.number - 1, until: event)
    }

    /// Whether what is sent with `event` may have been written before the event numbered `number`.
    func mayHaveWaited(since number: UInt64, until event: TraceEvent) -> Bool {
        start < number && (isOutstanding || event.step == idleStep)
    }
}

extension TraceEvent {
    /// The number of the link it is about.
    var link: Int64? { number("link") }
    var peer: String? { text("peer") }
    /// The session that the orchestrator numbered.
    var session: Int64? { number("session") }
    var isSpoilt: Bool { self["spoilt"] == .flag(true) }
    var niSession: Scene.SessionKey? {
        number("ni-session").map { Scene.SessionKey(device: device, ordinal: $0) }
    }
    var radio: Scene.RadioKey? {
        number("handle").map { Scene.RadioKey(device: device, handle: $0) }
    }
    /// The bytes in a field; nil where it holds none.
    func bytes(_ name: String) -> [UInt8]? {
        guard case .bytes(let bytes)? = self[name] else { return nil }
        return bytes
    }
}
