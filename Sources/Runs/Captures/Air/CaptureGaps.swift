/// What a capture has and a trace of it cannot show, by the number of packets or values.
package struct CaptureGaps: Equatable, Sendable {
    /// Packets of which the capture has a part alone.
    var cut = 0
    /// Packets of connections that began before the capture.
    var strangers = 0
    /// Values of attributes whose discovery the capture does not have.
    var unresolved = 0
    /// Packets before which the clock was set back.
    var setBack = 0
    /// Packets that a sniffer has not heard, at least.
    var unheard = 0
    /// Packets of a link of which a sniffer does not say who sent them.
    var undirected = 0
    /// Links whose end a sniffer has not heard.
    var silent = 0
    /// Links that a sniffer cannot read.
    var encrypted = 0

    mutating func add(_ other: CaptureGaps) {
        for what in [
            \.cut, \.strangers, \.unresolved, \.setBack, \.unheard, \.undirected, \.silent,
            \.encrypted,
        ] as [WritableKeyPath<CaptureGaps, Int>] {
            self[keyPath: what] += other[keyPath: what]
        }
    }

    package init() {}

    /// Whether nothing is missing between the first and the last event: what is not there did not happen.
    package var areNone: Bool { cut + unheard + undirected + silent == 0 }

    /// A sentence for each of them.
    package var sentences: [String] {
        [
            (cut, "packets are cut off in the capture, and were left out"),
            (
                strangers,
                "packets belong to connections that began before the capture, and were left out"
            ),
            (
                unresolved,
                "values belong to attributes whose discovery the capture does not show, so nobody "
                    + "knows whether they are messages"
            ),
            (setBack, "packets have a time before that of an earlier one, and were given that"),
            (
                unheard,
                "packets or more were not heard by the sniffer, though the other end has acknowledged them"
            ),
            (
                undirected,
                "packets do not say which end has sent them, and were left out; let the sniffer follow the connection"
            ),
            (
                silent,
                "connections were not heard to end, and are taken to be over after their supervision timeout, or when the "
                    + "next one begins"
            ),
            (
                encrypted,
                "connections are encrypted, and the sniffer has no key; the trace ends there, and the phone's own log "
                    + "has the rest"
            ),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }
}
