import DeviceKit

/// A proposer of single-decree Paxos with one ballot; it observes `consensus.reached` with the `value`.
///
/// When a majority of the acceptors has promised to heed no lower ballot, it asks all to accept the value of
/// the highest ballot that one of them had accepted, or its own where none had; when a majority has
/// accepted, the value is chosen.
///
/// Parameters: `ballot`, a number of its own (1); `value`, what it proposes (its name).
///
/// Defect `small-quorum`: it takes one acceptor less for a majority, so that two quorums need not share
/// one. Race, at each acceptor: a later proposer's prepare and an earlier one's accept. Where the first
/// quorum that answers the later one has not heard of the earlier one's value, each chooses its own.
final class Proposer: Device {
    private let context: Context
    private let post: Post
    private let ballot: Int
    private let quorum: Int
    private var value: String
    /// The ballot of `value`: 0 while it is its own.
    private var inherited = 0
    private var promises = 0
    private var acceptances = 0

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        self.context = context
        let parameters = try Parameters(reset, known: Post.parameters + ["ballot", "value"])
        ballot = try parameters.number("ballot", default: 1)
        value = parameters["value"] ?? reset.name
        post = try Post(reset, parameters: parameters, defect: "small-quorum", in: context)
        quorum = post.peers.count / 2 + (post.isDefective ? 0 : 1)
        post.onBegin = { [unowned self] in post.broadcast("prepare \(ballot)") }
        post.onWords = { [unowned self] words, _ in count(words) }
    }

    func handle(_ event: DeviceEvent) { _ = post.handle(event) }

    /// `promise`, with the ballot and the value that were accepted where some were, or `accepted`.
    private func count(_ words: [Substring]) {
        if words.word(0) == "accepted" {
            acceptances += 1
            guard acceptances == quorum else { return }
            context.observe("consensus.reached", fields: [Field("value", .text(value))])
        } else {
            promises += 1
            guard promises <= quorum else { return }
            if words.count == 3, let earlier = Int(words.word(1)), earlier > inherited {
                (inherited, value) = (earlier, String(words.word(2)))
            }
            if promises == quorum { post.broadcast("accept \(ballot) \(value)") }
        }
    }
}

/// An acceptor of single-decree Paxos: it answers what is not below the highest ballot it has promised
/// to heed, and nothing else.
final class Acceptor: Device {
    private let post: Post
    private var promised = 0
    /// What it accepted last, as ` BALLOT VALUE`.
    private var accepted = ""

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        post = try Post(reset, parameters: Parameters(reset, known: Post.parameters), in: context)
        post.onWords = { [unowned self] words, sender in answer(words, to: sender) }
    }

    func handle(_ event: DeviceEvent) { _ = post.handle(event) }

    private func answer(_ words: [Substring], to proposer: String) {
        guard let ballot = Int(words.word(1)), ballot >= promised else { return }
        promised = ballot
        if words.word(0) == "prepare" { return post.send("promise\(accepted)", to: proposer) }
        accepted = " \(ballot) \(words.word(2))"
        post.send("accepted", to: proposer)
    }
}
