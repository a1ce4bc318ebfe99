/// Who asked for a connection on the network, and who was asked.
package enum NetworkEndpoint: Hashable, Sendable, CaseIterable {
    case opener, acceptor

    var other: NetworkEndpoint { self == .opener ? .acceptor : .opener }
}

/// One of something for each end of a connection on the network.
struct Ends<Value: Sendable>: Sendable {
    private var opener: Value
    private var acceptor: Value

    /// The same for both.
    init(both value: Value) { (opener, acceptor) = (value, value) }

    subscript(end: NetworkEndpoint) -> Value {
        get { end == .opener ? opener : acceptor }
        _modify {
            switch end {
            case .opener: yield &opener
            case .acceptor: yield &acceptor
            }
        }
    }
}
