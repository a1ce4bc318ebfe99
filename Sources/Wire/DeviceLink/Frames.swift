/// What a device says first, unasked: which program it is and which contract it speaks.
public struct Hello: Equatable, Sendable {
    /// The contract's version; the orchestrator refuses another major version.
    public var major: UInt16
    /// Additions that an older orchestrator may ignore.
    public var minor: UInt16
    /// The program's name for people, for example `accessory`.
    public var program: String
    /// Whether the program keeps state that a reset does not clear: it then gets a fresh process for
    /// every run.
    public var keepsGlobalState: Bool
    /// Whether the program sees to it by itself that every reset finds it as it was when it started, as in a fresh
    /// process (since 1.1).
    public var isAfreshByReset: Bool

    /// The contract this module implements.
    public static let currentMajor: UInt16 = 1
    /// The contract's current minor version.
    public static let currentMinor: UInt16 = 5

    /// A hello of the current version.
    public init(
        program: String, keepsGlobalState: Bool = false, isAfreshByReset: Bool = false,
        major: UInt16 = Hello.currentMajor, minor: UInt16 = Hello.currentMinor
    ) {
        self.major = major
        self.minor = minor
        self.program = program
        self.keepsGlobalState = keepsGlobalState
        self.isAfreshByReset = isAfreshByReset
    }
}

/// A name and its value, in an order that matters.
public struct Pair: Codable, Hashable, Sendable {
    public var name: String
    /// The value, as text.
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A pair that the device asked to keep beyond its own death.
public struct StoredPair: Equatable, Sendable {
    /// The key: 1 to 255 bytes without control characters.
    public var key: String
    /// The bytes: at most 65,535; all pairs of a device together at most 2¹⁹ with their keys.
    public var value: [UInt8]

    public init(_ key: String, _ value: [UInt8]) {
        self.key = key
        self.value = value
    }
}

/// Keys of a device's storage that have a meaning for the orchestrator as well: a bond with a peer has one each
/// (DEVICE-LINK.md, section 7).
public enum BondKey {
    /// What stands before the peer's address.
    public static let prefix = "bond/"

    /// The key of the bond with a peer: `bond/C0:FF:EE:00:01:02`.
    public static func of(_ peer: Address) -> String { String(joining: prefix, peer.description) }
}

/// Makes a process the device it is to be in the next run; whatever it was before is forgotten.
public struct Reset: Equatable, Sendable {
    /// The device's name in the topology.
    public var name: String
    /// The model of an Apple device (`iPhone15,2`) or the profile of an accessory (`qorvo`).
    public var model: String
    /// How often the device was started in this run; 0 the first time.
    public var incarnation: UInt32
    /// The key of all randomness of this incarnation (`Keyed`).
    public var key: UInt64
    /// The Bluetooth address of the controller.
    public var address: Address
    /// Parameters of the topology, in its order.
    ///
    /// Durations are nanoseconds, lengths millimetres.
    public var parameters: [Pair]
    /// Names of the defects that are switched on.
    public var defects: [String]
    /// All that earlier incarnations stored, in the order of their keys.
    public var stored: [StoredPair]

    public init(
        name: String, model: String, incarnation: UInt32 = 0, key: UInt64 = 0,
        address: Address = Address(0), parameters: [Pair] = [], defects: [String] = [],
        stored: [StoredPair] = []
    ) {
        self.name = name
        self.model = model
        self.incarnation = incarnation
        self.key = key
        self.address = address
        self.parameters = parameters
        self.defects = defects
        self.stored = stored
    }
}

/// A 48-bit Bluetooth device address (Core Specification Vol 6 Part B 1.3).
public struct Address: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The address in the low 48 bits.
    public var value: UInt64
    /// Whether it is a random address; a public one otherwise.
    public var isRandom: Bool

    /// The address in the low 48 bits of a number.
    public init(_ value: UInt64, isRandom: Bool = true) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.isRandom = isRandom
    }

    /// Smaller values first.
    public static func < (left: Address, right: Address) -> Bool {
        (left.value, left.isRandom ? 1 : 0) < (right.value, right.isRandom ? 1 : 0)
    }

    /// Six hexadecimal octets, most significant first.
    public var description: String {
        // Written on every observation of a ranging session: 17 characters, made in one go.
        String(unsafeUninitializedCapacity: 17) { text in
            for octet in 0..<6 {
                text[3 * octet] = digit(11 - 2 * octet)
                text[3 * octet + 1] = digit(10 - 2 * octet)
                if octet < 5 { text[3 * octet + 2] = UInt8(ascii: ":") }
            }
            return 17
        }
    }

    /// One of the twelve hexadecimal digits; the least significant one is 0.
    private func digit(_ place: Int) -> UInt8 {
        let four = UInt8(truncatingIfNeeded: value >> (4 * UInt64(place)) & 0xF)
        return four < 10 ? UInt8(ascii: "0") + four : UInt8(ascii: "A") + four - 10
    }
}

/// What the orchestrator says to a device.
public enum OrchestratorFrame: Equatable, Sendable {
    /// Become this device; the answer is `ready` or `refused`.
    indirect case reset(Reset)
    /// It is your turn: one event at one moment of virtual time.
    case grant(turn: UInt32, now: VirtualTime, DeviceEvent)
    /// No more runs: leave with status 0.
    case farewell
}

/// What a device says to the orchestrator.
public enum DeviceFrame: Equatable, Sendable {
    /// The first frame on the link.
    case hello(Hello)
    /// The reset is done and everything logged before it has been flushed.
    case ready
    /// The reset cannot be done: an unknown model, parameter or defect. A sentence for the user.
    case refused(String)
    /// The turn is over: all answers, in order.
    case answers(turn: UInt32, [Answer])
}
