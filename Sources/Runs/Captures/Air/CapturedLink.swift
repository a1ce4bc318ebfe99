import Bluetooth

struct CapturedLink: Sendable {
    /// Its number in the trace.
    let number: Int
    /// The devices at its ends, by their places.
    let ends: Sides<Int>
    /// Whether the capture has the packets of the host at an end; what happens at another is inferred.
    let isSeen: Sides<Bool>
    /// Whether the end's host has been told of the link, and of its end.
    var isUp = Sides(both: false)
    var isDown = Sides(both: false)
    /// Whether no host has been told of its end.
    var isOnAir = true
}

/// What is known of one host of a capture.
struct HostState: Sendable {
    /// What the capture calls it.
    let name: String?
    /// Whether the capture has what the host said and heard, and not what a sniffer made of it.
    let isSeen: Bool
    var address: UInt64?
    /// What it asked for before it was known to be a device of the trace.
    var isAdvertising = false
    var isScanning = false
    var wanted: UInt64?
    /// Its connections, by handle; looked up only.
    var connections: [UInt16: Connection] = [:]

    /// A connection of a host.
    struct Connection: Sendable {
        /// The place of the link, and the host's end of it; nil for BR/EDR.
        var link: (place: Int, side: Side)?
        var sent = FrameAssembly()
        var received = FrameAssembly()
    }
}
