/// What two UWB radios must agree on to range with one another.
public struct UWBParameters: Equatable, Hashable, Sendable {
    /// The FiRa session id, which both sides must have.
    public var sessionID: UInt32
    /// This side's short address (IEEE 802.15.4, 2 bytes).
    public var address: UInt16
    /// The other side's short address, which this side ranges with.
    public var peer: UInt16
    /// The channel: 5, 6, 8, 9, 10, 12, 13 or 14.
    public var channel: UInt8
    /// The preamble code index: 9 … 12.
    public var preamble: UInt8
    /// The static STS initialisation vector: 6 bytes.
    public var stsIV: [UInt8]
    /// Slots per ranging round: 1 … 65,535.
    public var slotsPerRound: UInt16
    /// Slot duration in RSTU (1200 RSTU = 1 ms): 1 … 65,535.
    public var slotDuration: UInt16
    /// Ranging interval (block duration) in milliseconds: 1 … 65,535; a round takes place once in
    /// each.
    public var interval: UInt16
    /// Whether this side initiates the rounds.
    public var isInitiator: Bool
    /// Whether this side measures at extended distance, which takes another one that does (since 1.4).
    public var isExtended: Bool

    /// Parameters of a ranging session.
    public init(
        sessionID: UInt32, address: UInt16, peer: UInt16, channel: UInt8, preamble: UInt8,
        stsIV: [UInt8], slotsPerRound: UInt16, slotDuration: UInt16, interval: UInt16,
        isInitiator: Bool, isExtended: Bool = false
    ) {
        self.sessionID = sessionID
        self.address = address
        self.peer = peer
        self.channel = channel
        self.preamble = preamble
        self.stsIV = stsIV
        self.slotsPerRound = slotsPerRound
        self.slotDuration = slotDuration
        self.interval = interval
        self.isInitiator = isInitiator
        self.isExtended = isExtended
    }
}

/// A request to the UWB radio.
public enum UWBCommand: Equatable, Sendable {
    /// Start ranging. `session` is the device's own handle, unique while the session runs.
    case start(session: UInt32, UWBParameters)
    /// Stop ranging in this session.
    case stop(session: UInt32)
    /// Stop ranging in this session, and tell the other side in a last round that it is over (since 1.4).
    case end(session: UInt32)
    /// Range in each so many intervals only, which the other side hears in-band: block striding (since 1.4).
    case stride(session: UInt32, intervals: UInt8)
}

/// An event of the UWB radio.
public enum UWBEvent: Equatable, Sendable {
    /// The radio is on for this session (`status` 0), or refused it (any other status).
    case started(session: UInt32, status: UInt8)
    /// One ranging round: a measurement, or nil for a miss.
    case round(session: UInt32, UWBMeasurement?)
}

/// What a ranging round measured.
public struct UWBMeasurement: Equatable, Sendable {
    /// Distance in millimetres.
    public var distance: UInt32
    /// Azimuth in hundredths of a degree, -18000 … 18000; nil outside the field of view while the camera is off.
    public var azimuth: Int16?
    /// Elevation in hundredths of a degree, -9000 … 9000; nil outside the field of view while the camera is off.
    public var elevation: Int16?
    /// Whether nothing stands between the two radios.
    public var isLineOfSight: Bool
    /// Where the peer is; nil while the camera is off.
    public var sight: UWBSight?

    public init(
        distance: UInt32, azimuth: Int16?, elevation: Int16?, isLineOfSight: Bool,
        sight: UWBSight? = nil
    ) {
        self.sight = sight
        self.distance = distance
        self.azimuth = azimuth
        self.elevation = elevation
        self.isLineOfSight = isLineOfSight
    }
}
