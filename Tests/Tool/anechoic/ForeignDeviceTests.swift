import Artifacts
import Foundation
import RunSupport
import TestSupport
import Testing
import Traces

/// Somebody else's devices, by every way to join them.
@Suite(.processes) struct ForeignDeviceTests {
    private static let accessory = root + "/Tests/Strangers/accessory.py"

    private static func topology(_ program: String) -> String {
        """
        length: 15s
        devices:
          ben: {model: iPhone 15, at: [0m, 0m]}
          lock: {\(program), model: qorvo, at: [2m, 0m]}
        expect:
          - at least 3: ni.didUpdate on ben with distance > 1.8m and distance < 2.2m
          - exactly 1: msg.accessoryUwbDidStart.received on ben
          - never: link.down
        """
    }

    @Test(arguments: ["pipes", "socketpair", "unix"])
    func thePythonAccessoryRangesInTheChamber(over transport: String) throws {
        let place = try Place()
        try place.write(
            Self.topology("run: python3, arguments: [-B, \"\(Self.accessory)\"]"), to: "it.yaml")
        let outcome = try Command.run(
            "run", "it.yaml", "--transport", transport, "--format", "json", in: place)
        try expectHeld(outcome)
    }

    @Test func aDeviceThatDialsInRanges() throws {
        let place = try Place()
        try place.write(Self.topology("dials-in: true"), to: "it.yaml")
        let command = try Command(
            ["run", "it.yaml", "--sockets", "sockets", "--format", "json"], in: place)
        let socket = place.path + "/sockets/lock.sock"
        try #require(wait(seconds: 10) { FileManager.default.fileExists(atPath: socket) })
        let device = Process()
        device.executableURL = URL(filePath: "/usr/bin/env")
        device.arguments = ["python3", "-B", Self.accessory]
        device.environment = ProcessInfo.processInfo.environment.merging(
            ["ANECHOIC_LINK": "unix:\(socket)"]) { $1 }
        try device.run()
        try expectHeld(try command.outcome())
        device.waitUntilExit()
        #expect(device.terminationStatus == 0)
        #expect(!FileManager.default.fileExists(atPath: place.path + "/sockets"))
    }

    @Test func whereNobodyDialsTheSocketIsNamed() throws {
        let place = try Place()
        try place.write(Self.topology("dials-in: true"), to: "it.yaml")
        let outcome = try Command.run(
            "run", "it.yaml", "--sockets", "sockets", "--watchdog", "200ms", in: place)
        #expect(outcome.status == 3)
        #expect(
            outcome.output.contains(
                "hang of lock: nobody dialled sockets/lock.sock within 200 ms"),
            "\(outcome.output)")
    }

    private func expectHeld(_ outcome: Command.Outcome) throws {
        let report = try #require(try outcome.reports.first, "\(outcome.errors)")
        #expect(report.status == .held, "\(report.summary)")
        #expect(report.promises.filter { $0.verdict == .violated }.map(\.promise) == [])
        #expect(report.promises.contains { $0.verdict == .held })
    }
}
