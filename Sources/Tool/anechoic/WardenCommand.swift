import ArgumentParser
import Foundation
import Orchestration

/// `anechoic warden`: ends what the devices of an orchestrator leave behind, should that be killed.
struct WardenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warden", abstract: "Wait for a killed anechoic, and end what it left behind.",
        shouldDisplay: false)

    @Argument(help: "What the processes to end have in their environment.")
    var mark: String

    func run() { ForeignProgram.ward(mark: mark) }
}
