import ArgumentParser
import Artifacts
import Foundation
import Reports

struct TopologyFromCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topology-from",
        abstract: "Draft a topology that plays what a capture shows.",
        discussion: """
            The capture is btsnoop, PacketLogger or pcapng, as judge takes it. Devices, profiles, MTU, \
            connection interval, disconnections and what the phone began and stopped are taken over; what \
            HCI does not show is said in comments. Exit status: 0 drafted, 65 a wrong file.
            """)

    @Argument(
        help: "A capture.", completion: .file(extensions: ["btsnoop", "log", "pklg", "pcapng"]))
    var capture: String

    @OptionGroup var services: ServiceOption

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the draft into this file. (default: standard output)", valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var output: String?

    func run() throws {
        if let output { try WholeFile.check(output, option: "--output") }
        let input = try CaptureInput(capture, services: services.service)
        var draft = TopologyDraft(of: URL(filePath: capture).lastPathComponent)
        try input.eachEvent(orElse: "nothing was drafted") { draft.take($0) }
        let text = draft.text(input)
        guard let output else { return try show(text) }
        try WholeFile.write(Data(text.utf8), toNamed: output, option: "--output")
    }
}
