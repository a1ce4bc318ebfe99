import ArgumentParser
import Basics
import Campaigns
import Reports

// The first words of a command line, which the parser says less about than a person needs.
extension Anechoic {
    /// The commands that help tells of.
    private static var commands: [String] {
        // By closures: the compiler crashes at key paths of types.
        configuration.subcommands.map { $0.configuration }.filter { $0.shouldDisplay }
            .compactMap { $0.commandName }
    }

    /// Words of which each negative number stands with its option: the parser takes `--seed -1` for two options.
    ///
    /// What somebody else's program is started with stays as it is.
    static func joined(_ words: [String]) -> [String] {
        guard words.first != LaunchCommand.name else { return words }
        return words.reduce(into: []) { joined, word in
            let isNegative = word.first == "-" && word.dropFirst().first?.isNumber == true
            if isNegative, let last = joined.last, last.hasPrefix("--"), last.count > 2,
                !last.contains("=")
            {
                joined[joined.count - 1] = "\(last)=\(word)"
            } else {
                joined.append(word)
            }
        }
    }

    /// - Throws: `WrongUse` where there is no such command, or none is named, or no such thing to have help about.
    static func checkWords(_ arguments: [String]) throws {
        let all = commands
        guard let word = arguments.first else {
            printError(helpMessage())
            throw WrongUse("expected a command: \(all.joined(separator: ", "))")
        }
        if word == "help", arguments.count > 1, !arguments[1].hasPrefix("-") {
            let topics = Topic.allCases.map(\.rawValue)
            guard !(all + topics).contains(arguments[1]) else { return }
            throw WrongUse(
                "help \(arguments[1]): there is no such command or topic"
                    + Suggestion.question(about: arguments[1], among: all + topics)
                    + " (anechoic --help lists the commands; topics are \(TopicCommand.names))")
        }
        let hidden = configuration.subcommands.compactMap {
            $0.configuration.commandName
        }
        guard !word.hasPrefix("-"), word != "help", !hidden.contains(word) else { return }
        throw WrongUse(
            "there is no command \(word)"
                + Suggestion.question(about: word, among: all)
                + " (anechoic --help lists the commands)")
    }
}
