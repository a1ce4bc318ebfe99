import Foundation
import TestSupport
import Testing

/// Programs in C and Python that speak H4, in virtual time.
@Suite struct HostTests {
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

    @Test func aHostThatIsNotThereIsNamed() throws {
        let guests = try Guests()
        try guests.topology("hci: ./nothing")
        let outcome = try guests.anechoic("run", "t.yaml")
        #expect(outcome.status == 3)
        #expect(
            outcome.output.contains(
                "launch failure of lock: ./nothing is no program that can be run"))
    }
}
