/// How messages go over the network, which R4 leaves to the manufacturer (2.4).
package enum NetworkMessages {
    /// The type of the service that the reference accessory offers and the reference app looks for; each message on a
    /// connection to it is one of the protocol, id first.
    package static let type = "_nearby._tcp"
}
