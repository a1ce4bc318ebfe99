internal import Bluetooth
internal import DeviceLink
internal import Scenarios

/// The state of all virtual Bluetooth controllers and of the links between them.
struct BluetoothAir: Sendable {
    var controllers: [Controller]
    /// Links by slot; a slot is used again when its link is gone.
    var links: [Link] = []
    /// Channels to a host that are held, with whose word is held back from whom.
    var held: [(from: Int, to: Int, channel: Int)] = []
    var freeSlots: [Int] = []
    var nextLink = 1
    /// What every way from one device to another is like.
    var ways: Ways
    /// How often two incarnations were connected, for the links' labels.
    ///
    /// Looked up only.
    var connections: [String: Int] = [:]

    init(topology: Topology) {
        controllers = Array(repeating: Controller(), count: topology.devices.count)
        ways = Ways(topology)
    }

    /// What holds for what `from` sends to `to`.
    func conditions(from: Int, to: Int) -> Conditions { ways.conditions(from: from, to: to) }
}

/// A virtual Bluetooth LE controller.
struct Controller: Sendable {
    struct Advertising: Sendable {
        let interval: UInt64
        let data: [UInt8]
        let scanResponse: [UInt8]
    }

    struct Scan: Sendable {
        let isActive: Bool
        /// One report of an advertiser within this time; 0 for no filter.
        let period: UInt64
    }

    struct Attempt: Sendable {
        let peer: Int
        let parameters: ConnectionParameters
    }

    /// What a handle stands for, also after the link has gone and until its host knows.
    struct Handle: Sendable {
        let value: UInt16
        let link: Int
        let slot: Int
        let side: Side
        let peer: Int
    }

    /// How many cancelled attempts may wait until their host is told.
    static let mostCancelled = 256

    var advertising: Advertising?
    var advertisingChannel: Int?
    var scan: Scan?
    var reportChannel: Int?
    /// When each advertiser was last reported.
    ///
    /// Looked up only.
    var reported: [Int: UInt64] = [:]
    var attempts: [Attempt] = []
    var attemptChannel: Int?
    var nextHandle: UInt16 = 0x0040
    var handles: [Handle] = []

    func handle(_ value: UInt16) -> Handle? { handles.first { $0.value == value } }
}

/// What a link layer carries to the other side.
enum LinkPDU: Sendable {
    /// A frame of the host.
    case data([UInt8])
    /// LL_TERMINATE_IND with a reason.
    case terminate(UInt8)
    /// LL_ENC_REQ; the key stands for the session key derived from it.
    case encryptionRequest([UInt8])
    /// LL_START_ENC_REQ, or LL_REJECT_IND for nil.
    case encryptionReply([UInt8]?)
    /// LL_CONNECTION_UPDATE_IND.
    case update(ConnectionParameters)
}

/// One connection.
struct Link: Sendable {
    let id: Int
    package let owner: Decisions.Owner
    let central: Int
    let peripheral: Int
    var parameters: ConnectionParameters
    /// The moment of connection event 0 of the present timing.
    var anchor: UInt64
    /// How many events earlier timings had: events are numbered through.
    var earlierEvents: UInt64 = 0
    /// The first event not yet examined for loss, by its index in the present timing.
    var examined: UInt64 = 0
    /// The last moment at which both sides heard one another.
    var lastGood: UInt64
    /// The last event that carried something, by its index in the present timing.
    var lastActive: UInt64 = 0
    /// What each side has to send; its frames are counted.
    var queues = Sides(both: [LinkPDU]())
    var frames = Sides(both: 0)
    var completed = Sides(both: UInt16(0))
    /// Sides whose controller has forgotten the link.
    var isGone = Sides(both: false)
    var isEncrypted = false
    var offeredKey: [UInt8]?
    var newParameters: ConnectionParameters?
    let handles: Sides<UInt16>
    let toHost: Sides<Int>
    let eventChannel: Int
    let supervisionChannel: Int
    let updateChannel: Int
    var isScheduled = false

    package func device(_ side: Side) -> Int { side == .central ? central : peripheral }

    /// The connection interval in nanoseconds.
    var interval: UInt64 { UInt64(parameters.interval) * 1_250_000 }

    /// The supervision timeout in nanoseconds.
    var timeout: UInt64 { UInt64(parameters.timeout) * 10_000_000 }

    /// The moment of an event of the present timing.
    package func moment(_ event: UInt64) -> UInt64 { anchor + event * interval }

    /// The first event of the present timing not before a moment.
    func firstEvent(from moment: UInt64) -> UInt64 {
        moment <= anchor ? 0 : (moment - anchor + interval - 1) / interval
    }
}
