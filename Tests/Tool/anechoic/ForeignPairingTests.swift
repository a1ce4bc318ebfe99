import Artifacts
import RunSupport
import TestSupport
import Testing

/// Phones pair with accessories that somebody else wrote, below which we put a Security Manager.
@Suite(.processes) struct ForeignPairingTests {
    private let place: Place

    init() throws { place = try Place() }

    /// The accessory of `new firmware` in C, with a store of bonds that has so many places and is lost by a restart, or not.
    private func build(_ name: String, _ words: String...) throws {
        let boot = "static void boot(void) {"
        let source = try text(of: "Sources/Tool/anechoic/Starters/Firmware/firmware.c.txt")
            .replacing("NAME", with: "bonds")
            .replacing(
                boot,
                with: """
                    static anechoic_address bonded[8];

                    static void keep(size_t most) {
                        size_t count = anechoic_bonds(bonded, 8);
                        for (size_t index = 0; index + most < count; index++)
                            anechoic_erase_bond(&bonded[index]);
                    }

                    static void paired(const anechoic_address *peer) {
                        (void)peer;
                        keep(PLACES);
                    }

                    \(boot)
                        keep(KEPT);
                    """
            )
            .replacing(".boot = boot,", with: ".boot = boot, .paired = paired,")
        try place.write(source, to: "bonds.c")
        let library = root + "/Sources/Devices/Foreign/CFirmware"
        let outcome = try place.run(
            ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I\(library)/include"] + words
                + ["-o", name, "bonds.c"] + ["device", "gatt", "niq"].map { "\(library)/\($0).c" })
        #expect(outcome.status == 0, "\(outcome.said)")
    }

    private func restart(_ name: String, _ lock: String) throws {
        try place.write(
            """
            length: 20s
            devices:
              ben: {model: iPhone 15, pairs: true}
              lock: {\(lock)}
            steps: [{at: 8s, kill: lock, for: 1s}]
            expect:
              - in order:
                  - system.paired on ben with reason = none
                  - ni.didUpdate on ben
                  - link.down on ben
                  - link.encrypted on ben
            """, to: "\(name).yaml")
    }

    private func twoPhones(_ name: String, _ lock: String) throws {
        try place.write(
            """
            length: 30s
            devices:
              amy: {model: iPhone 15, pairs: true}
              ben: {model: iPhone 14, pairs: true, launch: false}
              lock: {\(lock)}
            steps:
              - {at: 8s, terminate: amy}
              - {at: 9s, launch: ben}
              - {at: 18s, terminate: ben}
              - {at: 19s, launch: amy}
            expect:
              - in order:
                  - system.paired on amy with reason = none
                  - system.paired on ben with reason = none
                  - link.encrypted on amy
            """, to: "\(name).yaml")
    }

    @Test func aBondIsKeptUnlessTheFirmwareLosesIt() throws {
        func python(_ fault: String) -> String {
            "run: \(root)/Tests/Strangers/bonds.py, arguments: [\(fault)], pairing: "
        }
        try build("safe", "-DPLACES=8", "-DKEPT=8")
        try build("one", "-DPLACES=1", "-DKEPT=8")
        try build("ram", "-DPLACES=8", "-DKEPT=0")
        try restart("c-flash", "run: ./safe, pairing: legacy")
        try restart("c-ram", "run: ./ram, pairing: secure-connections")
        try twoPhones("c-eight", "run: ./safe, pairing: secure-connections")
        try twoPhones("c-one", "run: ./one, pairing: legacy")
        try restart("python-flash", python("flash") + "secure-connections")
        try restart("python-ram", python("ram") + "legacy")
        try twoPhones("python-two", python("places=2") + "legacy")
        try twoPhones(
            "python-one",
            python("places=1") + "secure-connections, pairing-interface: display-yes-no, "
                + "security-request: true")
        let outcome = try Command.run(
            "run", ".", "--twice", "--no-out", "--format", "json", in: place)
        let reports = try outcome.reports
        #expect(outcome.status == 1)
        #expect(reports.flatMap(\.expectations).allSatisfy { $0.verdict == .held })
        let broken = reports.map { report in
            report.topology + ":"
                + report.promises.filter { $0.verdict == .violated }.map { " " + $0.promise }
                .joined()
        }
        #expect(
            broken.sorted() == [
                "c-eight:", "c-flash:", "c-one: bond-kept", "c-ram: bond-kept",
                "python-flash:", "python-one: bond-kept", "python-ram: bond-kept", "python-two:",
            ], "\(outcome.errors)")
    }
}
