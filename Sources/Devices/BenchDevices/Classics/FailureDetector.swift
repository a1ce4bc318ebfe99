import DeviceKit

/// A failure detector: in each round it pings its peers up to three times, and one that has not answered
/// then is dead to it, which it observes as `node.lost` with the `peer`.
///
/// Where a round trip takes less than three times its patience, no peer is lost that is alive.
///
/// Parameters: `patience`, from one ping to the next in nanoseconds (50 ms); `rounds`, how many there
/// are (6).
///
/// Defect `forgets-pings`: only the answer to the latest ping counts, and one that was late for the ping
/// before is passed over. Race, three times in a row: a peer's answer and the end of the patience.
final class Detector: Device {
    private let context: Context
    private let post: Post
    private let patience: Nanoseconds
    private var rounds: Int
    private var alive: [String]
    /// Those alive that have not answered in this round.
    private var silent: [String] = []
    private var attempts = 0
    /// The number of the latest ping.
    private var ping = 0

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        self.context = context
        let parameters = try Parameters(reset, known: Post.parameters + ["patience", "rounds"])
        patience = try parameters.number("patience", default: .milliseconds(50))
        rounds = try parameters.number("rounds", default: 6)
        post = try Post(reset, parameters: parameters, defect: "forgets-pings", in: context)
        alive = post.peers
        post.onBegin = { [unowned self] in beginRound() }
        post.onWords = { [unowned self] words, sender in hear(of: sender, Int(words.word(1))) }
    }

    func handle(_ event: DeviceEvent) {
        if !post.handle(event), event == .timer(name: "patience") { losePatience() }
    }

    private func beginRound() {
        guard rounds > 0 else { return }
        rounds -= 1
        silent = alive
        attempts = 0
        pingTheSilent()
    }

    private func pingTheSilent() {
        attempts += 1
        ping += 1
        for peer in silent { post.send("ping \(ping)", to: peer) }
        context.setTimer("patience", after: patience)
    }

    private func hear(of peer: String, _ answered: Int?) {
        if answered == ping || !post.isDefective { silent.removeAll { $0 == peer } }
    }

    private func losePatience() {
        if !silent.isEmpty, attempts < 3 { return pingTheSilent() }
        for peer in silent {
            alive.removeAll { $0 == peer }
            context.observe("node.lost", fields: [Field("peer", .text(peer))])
        }
        beginRound()
    }
}

/// Answers each ping with a pong of the same number.
final class Node: Device {
    private let post: Post

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        post = try Post(reset, parameters: Parameters(reset, known: Post.parameters), in: context)
        post.onWords = { [unowned self] words, sender in
            post.send("pong \(words.word(1))", to: sender)
        }
    }

    func handle(_ event: DeviceEvent) { _ = post.handle(event) }
}
