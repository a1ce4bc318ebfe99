import DeviceLink
import Scenarios
import Testing
import Topologies
import Vocabulary

/// Faults that are added to a topology are the same as values and in the text of a file.
struct AddedFaultsTests {
    private static let text = """
        length: 20s
        devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}
        fluents: {own: {set: link.up, clear: link.down}}
        steps: [{at: 2s, kill: lock, for: 1s}]
        faults: {heal: true, disconnect: {ratio: 1/9}}
        promises: [{promise: never-removed, never: ni.didRemove}]

        """
    private static let expectations = """
        expect: [eventually: ni.didUpdate on ben, {never: ni.didRemove, while: own}, violated quiet]
        """
    private static let knownBug =
        "expect: [eventually: ni.didUpdate on ben, {unavoidable: quiet, because: of a known bug}]"

    private static let place = VerbSetting.Value.place(x: 1, y: -2, z: 3)
    private static let faults = [
        TimedFault(Deed(.kill, at: .device("lock")), start: 5, length: .seconds(2)),
        TimedFault(
            Deed(.partition, at: .pair(DevicePair("ben", "lock")), with: [.oneWay: .flag(true)]),
            start: .seconds(3) + 1, length: 1_234_567_891),
        TimedFault(Deed(.move, at: .device("ben"), with: [.to: place]), start: 7, length: 0),
    ]

    @Test(arguments: [
        (text + expectations, AddedFaults.swept(faults, until: .seconds(18))),
        (text + expectations, AddedFaults.swept(faults, until: .seconds(2))),
        (text + knownBug, AddedFaults.swept(faults, until: .seconds(2))),
        (
            text + expectations,
            AddedFaults.swept(
                faults, each: AddedFaults.Recurrence(of: "link.up", on: "ben", times: 8),
                until: .seconds(9))
        ),
        (text, AddedFaults.drawn(faults)),
    ])
    func theTextSaysTheValue(_ text: String, _ added: AddedFaults) throws {
        let read = try topology(try #require(TopologyParts(text)).text(adding: added))
        var own = try #require(try topology(text).adding(added))
        for place in own.steps.indices { own.steps[place].source = read.steps[place].source }
        #expect(own == read)
    }

    @Test func anExpectationIsKnownByItsLine() throws {
        #expect(try topology(Self.text + Self.expectations).adding(.drawn(Self.faults)) == nil)
    }

    @Test func aSweepCountsInNanoseconds() throws {
        let parts = try #require(TopologyParts("devices: {lock: {profile: qorvo}}"))
        #expect(
            parts.text(adding: .swept(Self.faults, until: .seconds(50))) == """
                devices:
                  lock: {profile: qorvo}
                length: 90s
                steps:
                - {at: 5ns, kill: lock, for: 2000000000ns}
                - {at: 3000000001ns, partition: [ben, lock], one-way: true, for: 1234567891ns}
                - {at: 7ns, move: ben, to: [1mm, -2mm, 3mm]}

                """)
        let each = AddedFaults.Recurrence(of: "link.up", on: "lock", times: 3)
        #expect(
            parts.text(adding: .swept([Self.faults[0]], each: each, until: .seconds(50))) == """
                devices:
                  lock: {profile: qorvo}
                length: 90s
                steps:
                - {when: link.up on lock, times: 3, after: 5ns, kill: lock, for: 2000000000ns}

                """)
    }
}
