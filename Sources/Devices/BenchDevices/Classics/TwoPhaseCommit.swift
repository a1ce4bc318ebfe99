import DeviceKit

/// The coordinator of a two-phase commit: it asks all participants to prepare a transaction, and commits
/// it when all have voted for it or aborts it at the first vote against.
///
/// Defect `commits-early`: one vote is not waited for. Race: the vote against and the last but one vote
/// for; where the vote against comes last, its participant is told to commit.
final class Coordinator: Device {
    private let post: Post
    private let needed: Int
    private var votes = 0
    private var isOpen = true

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        let parameters = try Parameters(reset, known: Post.parameters)
        post = try Post(reset, parameters: parameters, defect: "commits-early", in: context)
        needed = post.peers.count - (post.isDefective ? 1 : 0)
        post.onBegin = { [unowned self] in post.broadcast("prepare") }
        post.onWords = { [unowned self] words, _ in count(vote: words.word(0) == "yes") }
    }

    func handle(_ event: DeviceEvent) { _ = post.handle(event) }

    private func count(vote isFor: Bool) {
        guard isOpen else { return }
        votes += isFor ? 1 : 0
        isOpen = isFor && votes < needed
        if !isOpen { post.broadcast(isFor ? "commit" : "abort") }
    }
}

/// A participant of a two-phase commit; it observes `transaction.ended` with the `outcome` that it is
/// told, `commit` or `abort`.
///
/// Parameters: `refuses`, whether it votes against, which it does at once (false); `work`, how long it
/// writes its log before it votes for, in nanoseconds (20 ms).
final class CommitParticipant: Device {
    private let context: Context
    private let post: Post
    private let refuses: Bool
    private let work: Nanoseconds
    private var coordinator = ""

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        self.context = context
        let parameters = try Parameters(reset, known: Post.parameters + ["refuses", "work"])
        refuses = try parameters.flag("refuses", default: false)
        work = try parameters.number("work", default: .milliseconds(20))
        post = try Post(reset, parameters: parameters, in: context)
        post.onWords = { [unowned self] words, sender in take(String(words.word(0)), from: sender) }
    }

    func handle(_ event: DeviceEvent) {
        if !post.handle(event), event == .timer(name: "work") { post.send("yes", to: coordinator) }
    }

    private func take(_ word: String, from sender: String) {
        coordinator = sender
        switch word {
        case "prepare" where refuses: post.send("no", to: sender)
        case "prepare": context.setTimer("work", after: work)
        default: context.observe("transaction.ended", fields: [Field("outcome", .text(word))])
        }
    }
}
