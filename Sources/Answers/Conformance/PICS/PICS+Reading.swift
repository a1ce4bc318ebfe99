import AccessoryProtocol
import Campaigns
import Foundation
import Scenarios
import Topologies
import YAML

extension PICS {
    /// What a file declares.
    ///
    /// - Throws: `DocumentError` or `WrongUse` where it cannot be read or names nothing that there is.
    package init(file: String) throws {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw WrongUse("\(file): this cannot be read as text")
        }
        // A template of which nothing was taken.
        let isEmpty = text.split(whereSeparator: \.isNewline).allSatisfy {
            $0.prefix { $0 != "#" }.allSatisfy(\.isWhitespace)
        }
        guard !isEmpty else {
            self = .silent
            return
        }
        self = try YAMLReader.read(Array(text.utf8), of: file) { document throws(Problem) in
            try PICS(document)
        }
    }

    private static let keys = [
        "device", "parts", "answers-within", "messages", "services", "not-claimed",
    ]

    private init(_ document: YAMLNode) throws(Problem) {
        var mistakes = Mistakes()
        let file = try YAMLMapping(document, of: "a PICS", keys: Self.keys, noting: &mistakes)
        let device = mistakes.attempt { () throws(Problem) in try file["device"]?.text("device") }
        var parts: [Part: Bool] = [:]
        if let node = file["parts"] {
            let known = Part.allCases.map(\.rawValue)
            let mapping = try YAMLMapping(node, of: "`parts`", keys: known, noting: &mistakes)
            for part in Part.allCases {
                guard let value = mapping[part.rawValue] else { continue }
                mistakes.attempt { () throws(Problem) in
                    parts[part] = try value.flag(part.rawValue)
                }
            }
        }
        let answersWithin = mistakes.attempt { () throws(Problem) in
            try file["answers-within"]?.duration("answers-within", in: DeviceSpec.answerTimes)
        }
        var messages: Set<UInt8>?
        if let node = file["messages"] {
            messages = []
            for id in try node.list("messages", expected: "a list of message ids, like [0x80]") {
                mistakes.attempt { () throws(Problem) in
                    messages?.insert(UInt8(try id.integer("a message id", in: 0...255)))
                }
            }
        }
        let services = mistakes.attempt { () throws(Problem) in
            try file["services"].map { node throws(Problem) in try MessageService.all(node) } ?? []
        }
        var notClaimed: Set<String> = []
        let expected = "a list of clauses, sections and promises"
        for node in try file["not-claimed"]?.list("not-claimed", expected: expected) ?? [] {
            mistakes.attempt { () throws(Problem) in
                let name = try node.text("not-claimed")
                guard let names = Self.names(name) else {
                    throw node.problem(
                        "`\(name)` is no clause, section or promise",
                        expected: "one that anechoic promises lists")
                }
                notClaimed.formUnion(names)
            }
        }
        try mistakes.check()
        self.init(
            device: device ?? nil, parts: parts, answersWithin: answersWithin ?? nil,
            messages: messages, services: services ?? [],
            notClaimed: notClaimed)
    }

    /// A file that says nothing yet, with what can be said: for the maker of an accessory, of an app, or of both.
    package static func template(accessory: Bool, app: Bool) -> String {
        let whose = accessory && app ? "a device" : accessory ? "an accessory" : "an app"
        var text = """
            # A PICS: what \(whose) under test claims. For: anechoic conform --pics FILE
            #
            # What is not claimed, and is not shown either, does not bind. What is shown binds, claimed or not;
            # the report says where the two differ. Remove the # before what you say.

            # What reports call it.
            # device: our lock 1.4

            """
        if accessory {
            text += "\n# What R4 leaves open. Where nothing is said, discovery decides.\n# parts:\n"
            for part in Part.allCases {
                text += "#   \(part.rawValue): false  # \(part.words)\n"
            }
        }
        if accessory {
            text += """

                # How long it may take over an answer, at most 30s, for which R4 gives no time; 20s where nothing is said.
                # answers-within: 2s

                """
        }
        text += """

            # Ids of messages of your own; with this line, others are told.
            # messages: [0x80]

            # Services for messages of your own, besides Qorvo's and Nordic's UART: where the app writes
            # them, and where the accessory notifies them.
            # services: [{service: UUID, receive: UUID, transmit: UUID}]

            # Clauses and sections of R4, and promises, that are not claimed beside these.
            # not-claimed: [R4-4.3.3]

            """
        return text
    }
}
