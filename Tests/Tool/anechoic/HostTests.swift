import Foundation
import TestSupport
import Testing

/// Programs in C and Python that speak H4, in virtual time.
@Suite(.processes) struct HostTests {
    @Test(arguments: [
        (#"arguments: [unix, "{}"]"#, ""), (#"arguments: [tcp, "{port}"]"#, "listen: tcp"),
        (#"arguments: [pty, "{}"]"#, "listen: pty"),
        (#"arguments: [listen, unix, "{}"]"#, "dial: unix"),
        (#"arguments: [listen, tcp, "{port}"]"#, "dial: tcp"),
    ])
    func aHostIsTheSameByEachWayToItsController(arguments: String, way: String) throws {
        let guests = try Guests()
        try guests.build("host")
        try guests.topology("hci: ./host, \(arguments)\(way.isEmpty ? "" : ", " + way)")
        #expect(try guests.anechoic("run", "t.yaml", "--out", "out").status == 3)
        #expect(
            guests.log() == """
                0.000 event 0e of 0c03, chance 68
                0.100 event 0e of 0c03, chance 6d
                0.200 event 0e of 0c03, chance 1e
                0.300 event 0e of 0c03, chance 5d
                0.400 event 0e of 0c03, chance b7
                [0.500000 s] the host has ended by itself, with status 0

                """)
    }

    @Test(arguments: [
        (
            "crash", "the process was ended by SIGSEGV unasked",
            "[1.000000 s] the host was ended by signal 11"
        ),
        (
            "leave", "the process exited with status 3 unasked",
            "the host has ended by itself, with status 3"
        ),
        (
            "junk", "the process exited with status 65 unasked",
            "the host speaks neither H4 nor UCI: H4 packet:"
        ),
        ("spin", "hang of lock: the answers of turn", "(host running, "),
    ])
    func whatAHostDoesWrongIsSaid(deed: String, first: String, second: String) throws {
        let guests = try Guests()
        try guests.build("wrong")
        try guests.topology("hci: ./wrong, arguments: [\(deed), \"{}\"]")
        let outcome = try guests.anechoic("run", "t.yaml", "--out", "out", "--watchdog", "1s")
        #expect(outcome.status == 3)
        #expect(outcome.output.contains(first), "\(outcome.output)")
        #expect(outcome.output.contains(second), "\(outcome.output)")
    }

    /// It was printed once, although the program was started once to be copied and once more to be played.
    @Test func whatAHostPrintsIsKeptOnceForEachLife() throws {
        let guests = try Guests()
        try guests.build("wrong")
        try guests.topology("hci: ./wrong, arguments: [leave, \"{}\"]")
        _ = try guests.anechoic("run", "t.yaml", "--out", "out")
        #expect(guests.log() == "begun\n[1.000000 s] the host has ended by itself, with status 3\n")
    }

    @Test func aHostThatCannotBeAGuestIsRefused() throws {
        let guests = try Guests()
        try guests.build("wrong", "-static")
        try guests.topology("hci: ./wrong, arguments: [leave, \"{}\"]")
        let outcome = try guests.anechoic("run", "t.yaml")
        #expect(outcome.status == 3)
        #expect(
            outcome.output.contains(
                "refusal of lock: ./wrong cannot be a guest in virtual time: it is statically linked; expected "
                    + "a dynamically linked program of this machine's own kind"))
    }

    /// It is static, and so can be no guest; nor is it there any more when its run is played again.
    @Test func aHostByTheWallClockIsPlayedAgainFromWhatWasRecorded() throws {
        let guests = try Guests()
        try guests.build("steady", "-static")
        try guests.topology(
            "hci: ./steady, arguments: [\"{}\"], clock: wall", length: "1s",
            more: "expect: [at least 1: air.advertising on lock]")
        let run = try guests.anechoic("run", "t.yaml", "--twice", "--out", "out")
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        try FileManager.default.removeItem(atPath: guests.place.path + "/steady")
        for hosting in ["inline", "process"] {
            let again = try guests.anechoic("replay", "out/t/1/replay.json", "--hosting", hosting)
            #expect(again.status == 0, "\(again.output)\(again.errors)")
        }
        #expect(
            try guests.anechoic("explore", "t.yaml").errors.contains(
                "lock goes by the wall clock (`clock: wall`), so that no run of it can be had once more"
            ))
    }

    @Test func aHostByTheWallClockThatIsNotThereIsNotThereAgain() throws {
        let guests = try Guests()
        try guests.topology("hci: ./nothing, clock: wall")
        for command in [["run", "t.yaml", "--out", "out"], ["replay", "out/t/1/replay.json"]] {
            let outcome = try Command(command, in: guests.place).outcome()
            #expect(outcome.status == 3, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("launch failure of lock: ./nothing is no program"))
        }
    }

    @Test func aHostThatIsNotThereIsNamed() throws {
        let guests = try Guests()
        try guests.topology("hci: ./nothing")
        let outcome = try guests.anechoic("run", "t.yaml")
        #expect(outcome.status == 3)
        #expect(
            outcome.output.contains(
                "launch failure of lock: ./nothing is no program that can be run"))
    }

    /// By a copy of the program, which was made before it looked there.
    @Test(arguments: [
        "arguments: [\"{storage}\", \"{}\"]",
        "environment: {FLASH: \"{storage}\"}, arguments: [env, \"{}\"]",
    ])
    func whatAHostKeepsLastsAsLongAsTheRun(words: String) throws {
        let guests = try Guests()
        try guests.build("keeps")
        try guests.topology(
            "hci: ./keeps, \(words)",
            more: """
                steps:
                  - {at: 500ms, kill: lock}
                  - {at: 700ms, restart: lock}
                  - {at: 1s, kill: lock}
                  - {at: 1.2s, restart: lock}
                """)
        let temporary = guests.place.path + "/tmp"
        try FileManager.default.createDirectory(
            atPath: temporary, withIntermediateDirectories: false)
        let outcome = try Command(
            ["run", "t.yaml", "--seeds", "1..6", "--jobs", "2", "--twice", "--out", "out"],
            in: guests.place, limits: "export TMPDIR='\(temporary)'"
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        for seed in 1...6 {
            let log = guests.place.read("out/t/\(seed)/logs/lock.log")
            #expect(log == "start 1\nstart 2\nstart 3\n")
        }
        let replay = try guests.anechoic("replay", "out/t/1/replay.json", "--trust")
        #expect(replay.status == 0, "\(replay.output)\(replay.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: temporary) == [],
            "sockets and files are gone with the run")
    }

    /// Where two runs part is named with the calls that led there.
    @Test func aHostThatReadsSomethingRealIsToldOfByItsCalls() throws {
        let guests = try Guests()
        try guests.build("real")
        try guests.topology("hci: ./real, arguments: [\"{}\"]", length: "1s")
        let twice = try guests.anechoic("run", "t.yaml", "--twice", "--out", "out")
        let replay = try guests.anechoic("replay", "out/t/1/replay.json", "--trust")
        for outcome in [twice, replay] {
            #expect(outcome.status == 70)
            #expect(outcome.output.contains("the run did not repeat: "), "\(outcome.output)")
            #expect(
                outcome.output.contains("the guest lock differs first in its turn 6:"),
                "\(outcome.output)")
            #expect(
                outcome.output.contains("at 0.300004 s it called open, read, clock_nanosleep;"),
                "\(outcome.output)")
        }
    }
}
