import AppleFoundation

/// How the app reaches the apps on other Apple devices, which it knows by their names.
protocol PeerNetwork: AnyObject {
    /// Who hears of it, on the main queue.
    var ranging: PeerRanging? { get set }

    /// Begins to look for the others.
    func start()
    /// Sends something to another one that is connected.
    func send(_ data: Data, to peer: String)
}
