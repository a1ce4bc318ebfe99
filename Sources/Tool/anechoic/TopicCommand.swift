import ArgumentParser
import Artifacts
import Reports

/// `anechoic help TOPIC`: what a topology may name.
struct TopicCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topic", abstract: "Show what a topology may name.", shouldDisplay: false)

    @Argument(help: "One of \(names).")
    var topic: Topic

    /// The topics, for help.
    static var names: String { Topic.allCases.map(\.rawValue).joined(separator: ", ") }

    @OptionGroup var json: JSONOption

    func run() throws {
        guard json.isOn else { return try show(topic.text) }
        try json.answer(as: "help \(topic.rawValue)") { document in
            for entry in topic.entries { try document.add(entry) }
            return .held
        }
    }

    /// The arguments of this command where help is asked about a topic; nil where it is about a command.
    static func arguments(for arguments: [String]) -> [String]? {
        guard arguments.count >= 2, arguments[0] == "help", Topic(rawValue: arguments[1]) != nil
        else { return nil }
        return [configuration.commandName ?? ""] + arguments.dropFirst()
    }
}
