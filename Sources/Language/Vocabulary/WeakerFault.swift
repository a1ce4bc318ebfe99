/// A fault that does less harm than another one in its place.
package enum WeakerFault: Equatable, Sendable {
    /// Packets between the same two devices are late.
    case late
    /// The same fault one way, where it is not already.
    case oneWay
    /// Each peer is out of reach for less than any supervision timeout: first packets are late, then one way,
    /// then both.
    case briefOutages
    /// The links to the peers end.
    case disconnections
    /// Another verb, with the same target and no settings.
    case verb(VerbName)
}
