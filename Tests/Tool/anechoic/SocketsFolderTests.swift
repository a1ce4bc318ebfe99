import Foundation
import TestSupport
import Testing

/// Where devices dial: a folder that is ours alone.
@Suite(.processes) struct SocketsFolderTests {
    private static let topology = "devices: {mine: {dials-in: true}}"

    private func run(_ arguments: [String], in place: Place, limits: String) throws -> Command {
        try Command(
            ["run", "dial.yaml", "--no-out"] + arguments, in: place,
            limits: "export TMPDIR='\(place.path)/tmp'; " + limits)
    }

    private func newPlace() throws -> Place {
        let place = try Place()
        try place.write(Self.topology, to: "dial.yaml")
        try FileManager.default.createDirectory(
            atPath: place.path + "/tmp", withIntermediateDirectories: true)
        return place
    }

    private func mode(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.posixPermissions] as? Int ?? -1
    }

    @Test func theFolderIsNewPrivateAndToldToTheUser() throws {
        let place = try newPlace()
        let command = try run(["--watchdog", "1500ms"], in: place, limits: "umask 0")
        try #require(
            wait(seconds: 20) { place.sockets == ["lock", "mine.sock", "mine.sock.lock"] })
        let folder = try #require(place.folders.first)
        #expect(mode(folder) == 0o700)
        // It is there for a moment before it is ours alone; nobody can dial yet.
        #expect(wait(seconds: 20) { mode(folder + "/mine.sock") == 0o600 })
        let outcome = try command.outcome()
        #expect(outcome.status == 3)
        #expect(outcome.errors == "mine dials in: \(folder)/mine.sock\n")
        #expect(place.folders == [], "it is gone with the run")
    }

    @Test func whatAKilledRunLeftIsRemovedByTheNext() throws {
        let place = try newPlace()
        let killed = try run(["--watchdog", "60000ms"], in: place, limits: ":")
        try #require(wait(seconds: 20) { place.sockets.contains("mine.sock") })
        killed.send(SIGKILL)
        _ = try killed.outcome()
        #expect(place.folders.count == 1)
        _ = try run(["--watchdog", "100ms"], in: place, limits: ":").outcome()
        #expect(place.folders == [])
    }

    @Test(arguments: [
        "chmod 777 mine", "mv mine theirs; ln -s theirs mine", "rmdir mine; touch mine",
    ])
    func aFolderThatOthersCanChangeIsRefused(_ change: String) throws {
        let place = try newPlace()
        let outcome = try run(
            ["--sockets", "mine", "--watchdog", "100ms"], in: place, limits: "mkdir mine; \(change)"
        ).outcome()
        #expect(outcome.status == 70, "\(outcome.output)")
        #expect(outcome.errors.contains("--sockets mine: "), "\(outcome.errors)")
    }

    @Test func aLockThatIsALinkIsNotFollowed() throws {
        let place = try newPlace()
        let outcome = try run(
            ["--sockets", "mine", "--watchdog", "100ms"], in: place,
            limits: "mkdir -m 700 mine; ln -s ../victim mine/mine.sock.lock"
        ).outcome()
        #expect(outcome.status == 70, "\(outcome.output)\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: place.path + "/victim"))
    }
}

extension Place {
    /// The folders of sockets that runs have made here.
    fileprivate var folders: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/tmp")) ?? []
        return names.filter { $0.hasPrefix("anechoic-sockets-") }.map { "\(path)/tmp/\($0)" }
    }

    fileprivate var sockets: [String] {
        folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
            .sorted()
    }
}
