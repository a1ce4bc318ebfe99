import Basics
package import Bluetooth
package import Choices
package import DeviceLink
package import Scenarios

/// All virtual Bluetooth controllers and the links between them.
///
/// It knows of the run what it is handed, and answers with effects. They wait in an outbox whose capacity is
/// kept, because an array that is returned would be allocated for each connection event.
package struct BluetoothAir: Sendable {
    /// What happens by itself at its moment.
    package enum Event: Equatable, Sendable {
        case advertisement(device: Int)
        /// The next connection event at which a link has something to carry.
        case connectionEvent(link: Int)
        /// The moment until which a link was known to live, or at which it dies.
        case supervision(link: Int)
        /// The instant of a connection update.
        case update(link: Int)
    }

    /// Where something waits for its moment, in sequence: of a device, or of the link in a slot.
    package enum Channel: Equatable, Sendable {
        case advertising(device: Int)
        case reports(device: Int)
        case attempts(device: Int)
        case events(link: Int)
        case supervision(link: Int)
        case updates(link: Int)
        case toHost(link: Int, Side)
    }

    /// What follows from a request or an event; the sequence counts.
    package enum Effect: Equatable, Sendable {
        case trace(EventKind, device: Int, [Field])
        /// Something happens by itself, at a moment.
        case schedule(Event, in: Channel, at: UInt64)
        /// Nothing that waits in a channel happens.
        case cancel(Channel)
        /// A host is told something, between two moments.
        case tell(BluetoothEvent, device: Int, in: Channel, earliest: UInt64, latest: UInt64)
        /// What the host of one side is told of a link waits until it is released.
        case hold(link: Int, Side)
        /// A slot has a link, whose channels begin with this label.
        case open(slot: Int, link: Int, central: Int, peripheral: Int, label: String)
        /// The link of a slot is no more; what its hosts were told still reaches them.
        case close(slot: Int, link: Int)
    }

    let air: Air
    var controllers: [Controller]
    /// Links by slot; a slot is used again when its link is gone.
    var links: [Link] = []
    var freeSlots: [Int] = []
    var nextLink = 1
    /// How often two incarnations were connected, for the links' labels.
    ///
    /// Looked up only.
    var connections: [String: Int] = [:]
    /// What has to be done.
    var outbox = Queue<Effect>()

    /// As many idle controllers as devices.
    package init(_ air: Air, devices: Int) {
        self.air = air
        controllers = Array(repeating: Controller(), count: devices)
    }

    /// Whether something has to be done.
    package var hasEffects: Bool { !outbox.isEmpty }

    /// The effect that has to be done next; there must be one.
    package mutating func takeEffect() -> Effect { outbox.takeFirst() }

    /// Something happens at its moment.
    package mutating func handle(
        _ event: Event, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        switch event {
        case .advertisement(let device):
            advertise(once: device, in: surroundings, drawing: &decisions)
        case .connectionEvent(let slot):
            connectionEvent(slot, in: surroundings, drawing: &decisions)
        case .supervision(let slot): supervise(slot, in: surroundings, drawing: &decisions)
        case .update(let slot): updateConnection(slot, in: surroundings, drawing: &decisions)
        }
    }
}

// What others may know of it.
extension BluetoothAir {
    package var openLinks: [Link] { links.filter(\.isOpen) }

    /// The link in a slot; one without a number where it is free.
    package func link(at slot: Int) -> Link { links[slot] }

    /// What a device's controller is busy with.
    package func controller(of device: Int) -> Controller { controllers[device] }

    /// The address that a device shows.
    func address(of device: Int, in surroundings: Surroundings) -> Address {
        controllers[device].address ?? surroundings.address(of: device)
    }

    /// The device that shows an address; nil where none does.
    package func device(at address: Address, in surroundings: Surroundings) -> Int? {
        controllers.indices.first { self.address(of: $0, in: surroundings) == address }
    }

    /// What a handle stands for at a device; nil for none.
    package func handle(_ value: UInt16, of device: Int) -> Controller.Handle? {
        controllers[device].handle(value)
    }

    package func slots(between first: Int, and second: Int) -> [Int] {
        links.indices.filter { slot in
            guard links[slot].isOpen else { return false }
            let ends = [links[slot].central, links[slot].peripheral]
            return ends.contains(first) && ends.contains(second)
        }
    }
}

/// A virtual Bluetooth LE controller.
package struct Controller: Sendable {
    package struct Advertising: Sendable {
        let interval: UInt64
        let data: [UInt8]
        let scanResponse: [UInt8]
    }

    package struct Scan: Sendable {
        let isActive: Bool
        /// One report of an advertiser within this time; 0 for no filter.
        let period: UInt64
    }

    package struct Attempt: Sendable {
        package let peer: Address
        let parameters: ConnectionParameters
    }

    /// What a handle stands for, also after the link has gone and until its host knows.
    package struct Handle: Sendable {
        let value: UInt16
        package let link: Int
        let slot: Int
        let side: Side
        package let peer: Int
    }

    /// How many attempts to connect may be pending, each to another address.
    static let mostAttempts = 256
    /// How many cancelled attempts may wait until their host is told.
    static let mostCancelled = 256

    /// What it shows instead of its device's own address.
    var address: Address?
    package var advertising: Advertising?
    /// Who decides when it advertises; nil where it never has.
    var advertiser: Decisions.Owner?
    /// How many advertising events it has planned.
    var advertisements: UInt64 = 0
    /// Whether the next one waits for its moment.
    var isPlanned = false
    package var scan: Scan?
    /// When each advertiser was last reported.
    ///
    /// Looked up only.
    var reported: [Int: UInt64] = [:]
    package var attempts: [Attempt] = []
    var nextHandle: UInt16 = 0x0040
    var handles: [Handle] = []

    package func handle(_ value: UInt16) -> Handle? { handles.first { $0.value == value } }
}

/// What a link layer carries to the other side.
package enum LinkPDU: Sendable {
    /// A frame of the host.
    case data([UInt8])
    /// LL_TERMINATE_IND with a reason.
    case terminate(UInt8)
    /// LL_ENC_REQ; the key stands for the session key derived from it.
    case encryptionRequest(key: [UInt8], random: UInt64, diversifier: UInt16)
    /// LL_START_ENC_REQ, or LL_REJECT_IND for nil.
    case encryptionReply([UInt8]?)
    /// LL_CONNECTION_UPDATE_IND.
    case update(ConnectionParameters)
}

package struct Link: Sendable {
    package let id: Int
    let owner: Decisions.Owner
    package let central: Int
    package let peripheral: Int
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
    package var queues = Sides(both: [LinkPDU]())
    var frames = Sides(both: 0)
    var completed = Sides(both: UInt16(0))
    /// Sides whose controller has forgotten the link.
    package var isGone = Sides(both: false)
    package var isEncrypted = false
    var offeredKey: [UInt8]?
    var newParameters: ConnectionParameters?
    let handles: Sides<UInt16>
    var isScheduled = false
    /// An ended link stays in its slot until the next one takes it.
    private(set) var isOpen = true

    mutating func close() { (isOpen, queues) = (false, Sides(both: [])) }

    package func device(_ side: Side) -> Int { side == .central ? central : peripheral }

    /// The connection interval in nanoseconds.
    package var interval: UInt64 { UInt64(parameters.interval) * 1_250_000 }

    /// The supervision timeout in nanoseconds.
    package var timeout: UInt64 { UInt64(parameters.timeout) * 10_000_000 }

    /// The moment of an event of the present timing.
    func moment(_ event: UInt64) -> UInt64 { anchor + event * interval }

    /// The first event of the present timing not before a moment.
    func firstEvent(from moment: UInt64) -> UInt64 {
        moment <= anchor ? 0 : (moment - anchor + interval - 1) / interval
    }
}
