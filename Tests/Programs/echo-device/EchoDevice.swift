package import DeviceKit
import Glibc

/// What a reset does not clear.
nonisolated(unsafe) private var count: Int64 = 0

/// A device for tests: it sends every L2CAP frame back, observes every other event, and misbehaves on
/// command.
package final class EchoDevice: Device {
    private let context: Context
    private let name: String

    package init(_ reset: Reset, in context: Context) throws(Refusal) {
        guard reset.model == "echo" else {
            throw .unknown("model", named: reset.model, known: ["echo"])
        }
        _ = try Parameters(reset, known: ["color", "size"])
        self.context = context
        name = reset.name
    }

    package func handle(_ event: DeviceEvent) {
        switch event {
        case .bluetooth(.acl(let handle, let frame)):
            context.answer(.bluetooth(.acl(handle: handle, frame)))
        case .command(let name, _): obey(name)
        default: context.observe("echo", fields: [Field("event", .text("\(event)"))])
        }
    }

    private func obey(_ command: String) {
        switch command {
        case "log": context.log("here is \(name)")
        case "print": print("printed by \(name)")
        case "random":
            context.observe("echo", fields: [Field("random", .number(Int64(draw("dice"))))])
        case "post":
            for item in ["one", "two"] {
                context.post(to: "main") { [context] in
                    context.observe("echo", fields: [Field("item", .text(item))])
                }
            }
        case "count":
            count += 1
            context.observe("echo", fields: [Field("count", .number(count))])
        case "overflow":
            context.observe(
                "echo", fields: [Field("text", .text(String(repeating: "x", count: 70_000)))])
        case "hang": while true { sleep(1) }
        case "crash": fatalError("crashed on command")
        case "leave": exit(9)
        case "babble": babble()
        default: context.observe("echo", fields: [Field("command", .text(command))])
        }
    }

    private func draw(_ purpose: String) -> UInt64 { context.random(purpose).below(6) + 1 }

    /// Writes what is no frame where frames are expected.
    private func babble() {
        let text = "Hello, world!\n"
        _ = text.utf8.withContiguousStorageIfAvailable { write(4, $0.baseAddress, $0.count) }
    }
}
