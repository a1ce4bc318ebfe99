/// What the two-way data link of an accessory and an app goes by (R4 2.4).
package enum DataLinkTransport: String, CaseIterable, Sendable {
    /// Bluetooth LE, with the service of the messages.
    case bluetooth
    /// The network: the accessory offers a service there, to which the app opens a connection.
    case network
}
