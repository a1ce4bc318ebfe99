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
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }
}
