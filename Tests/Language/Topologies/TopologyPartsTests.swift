import Basics
import DeviceLink
import Scenarios
import Testing
import Topologies
import Vocabulary

@Suite struct TopologyPartsTests {
    private let text = """
        length: 20s
        devices:
          ben: {model: iPhone 15}
          lock: {profile: qorvo, at: [2m, 0m]}
        steps:
          - {at: 1s, kill: lock}
          - {at: 2s, restart: lock}

        """

    @Test func thePartsOfAFileComeBiggestFirstButForItsLength() throws {
        let parts = try #require(TopologyParts(text))
        #expect(
            parts.paths.map(\.description) == [
                "devices", "steps", "devices.lock", "steps[1]", "steps[0]", "devices.lock.at",
                "devices.ben", "steps[1].restart", "steps[1].at", "steps[0].kill", "steps[0].at",
                "devices.lock.at[1]", "devices.lock.at[0]", "devices.lock.profile",
                "devices.ben.model",
            ])
    }

    @Test func whatMakesAFaultLessIsNoPart() throws {
        let parts = try #require(
            TopologyParts("steps: [{at: 1s, partition: [ben, lock], one-way: true}]"))
        #expect(!parts.paths.contains { $0.description.hasSuffix("one-way") })
    }

    @Test func withOtherParametersADeviceIsAnotherOne() throws {
        let parts = try #require(
            TopologyParts("devices: {carl: {run: vote, parameters: {refuses: true}}}"))
        #expect(parts.paths.map(\.description) == ["devices", "devices.carl", "devices.carl.run"])
    }

    @Test func aFileInAnotherFolderFindsItsPrograms() throws {
        let parts = try #require(
            TopologyParts(
                "devices: {ben: {run: ./app}, lock: {run: python3}, tag: {run: /bin/tag}}"))
        #expect(
            parts.text(runningBy: "/opt/mine", isFile: { _ in false }) == """
                devices:
                  ben: {run: /opt/mine/app}
                  lock: {run: python3}
                  tag: {run: /bin/tag}

                """)
    }

    @Test func anArgumentThatNamesAFileIsFoundFromAnotherFolderToo() throws {
        let parts = try #require(
            TopologyParts("devices: {lock: {run: python3, arguments: [-B, fw.py, idle, no.py]}}"))
        #expect(
            parts.text(runningBy: "../mine", isFile: { $0 == "fw.py" }) == """
                devices:
                  lock: {run: python3, arguments: [-B, ../mine/fw.py, idle, no.py]}

                """)
    }

    @Test func aStepThatIsMovedToALaterTimeHasAsMuchTimeLeft() throws {
        let parts = try #require(TopologyParts(text))
        let later = parts.text(movingStep: 1, to: .seconds(5))
        #expect(later.contains("at: 5s, restart") && later.contains("length: 23s"))
        let earlier = parts.text(movingStep: 1, to: .milliseconds(1_500))
        #expect(earlier.contains("at: 1.5s, restart") && earlier.contains("length: 20s"))
    }

    @Test func aDeviceThatStartsLaterHasAsMuchTimeLeft() throws {
        let parts = try #require(TopologyParts(text))
        #expect(parts.singleDevices == ["ben", "lock"])
        let later = parts.text(startingDevice: "lock", at: .seconds(1))
        #expect(later.contains("start: 1s") && later.contains("length: 21s"))
        let earlier = try #require(TopologyParts(later)).text(
            startingDevice: "lock", at: .milliseconds(500))
        #expect(earlier.contains("start: 500ms") && earlier.contains("length: 21s"))
        #expect(
            TopologyParts("devices: {ben: {model: iPhone 15}, tag: {profile: qorvo, count: 3}}")?
                .singleDevices == ["ben"])
    }

    @Test func aPartIsLeftOut() throws {
        let parts = try #require(TopologyParts(text))
        let path = try #require(parts.paths.first { "\($0)" == "steps[0]" })
        let rest = parts.text(without: path)
        #expect(rest.contains("restart: lock") && !rest.contains("kill: lock"))
        #expect(TopologyParts(rest)?.has(path) == true)
    }

    @Test func faultsBecomeStepsBehindThoseThatThereAre() throws {
        let parts = try #require(TopologyParts(text + "faults: {kill: {ratio: 1/2}}\n"))
        let pair = DevicePair("ben", "lock")
        let half = VerbSetting.Value.ratio(Ratio(1, 2))
        let faults = [
            TimedFault(
                Deed(.kill, at: .device("lock"), with: [.afterAnswers: .integer(2)]),
                start: 3_000_000_001,
                length: 500_000_000),
            TimedFault(
                Deed(.loss, at: .pair(pair), with: [.ratio: half, .lasting: .duration(1)]),
                start: 4_000_000_000, length: 1),
            TimedFault(
                Deed(.bluetoothOff, at: .device("ben")), start: 5_000_000_000, length: 1_000_000_000
            ),
            TimedFault(
                Deed(
                    .busy, at: .device("ben"),
                    with: [.by: .duration(20_000_000), .lasting: .duration(3)]),
                start: 6_000_000_000, length: 3),
            TimedFault(Deed(.refuseUWB, at: .device("lock")), start: 7_000_000_000, length: 0),
            TimedFault(
                Deed(.uwbLoss, at: .pair(pair), with: [.ratio: half, .lasting: .duration(1)]),
                start: 8_000_000_000, length: 1),
        ]
        #expect(
            parts.text(adding: .drawn(faults)).hasSuffix(
                """
                steps:
                - {at: 1s, kill: lock}
                - {at: 2s, restart: lock}
                - {at: 3.000000001s, kill: lock, after-answers: 2, for: 500ms}
                - {at: 4s, loss: [ben, lock], ratio: 1/2, for: 1ns}
                - {at: 5s, bluetooth-off: ben, for: 1s}
                - {at: 6s, busy: ben, by: 20ms, for: 3ns}
                - {at: 7s, refuse-uwb: lock}
                - {at: 8s, uwb-loss: [ben, lock], ratio: 1/2, for: 1ns}

                """))
    }

    @Test func aRunThatEndsEarlierDoesNothingLater() throws {
        let parts = try #require(TopologyParts(text))
        let rest = parts.text(endingAt: 1_500_000_000)
        #expect(rest.contains("length: 1.5s") && rest.contains("kill") && !rest.contains("restart"))
    }

    @Test func aKillIsWeakenedByAndBy() throws {
        let parts = try #require(TopologyParts(text))
        #expect(
            parts.weakening(step: 0).map { text in
                text.split(separator: "\n").first { $0.hasPrefix("- ") }.map(String.init)
            } == [
                "- {at: 1s, delay: [ben, lock], by: 100ms, for: 90ms}",
                "- {at: 1s, partition: [ben, lock], one-way: true, for: 90ms}",
                "- {at: 1s, partition: [lock, ben], one-way: true, for: 90ms}",
                "- {at: 1s, partition: [ben, lock], for: 90ms}",
                "- {at: 1s, disconnect: [ben, lock]}",
                "- {at: 1s, freeze: lock}",
            ])
        #expect(parts.weakening(step: 1).isEmpty)
    }

    @Test func aKeptTopologySaysWhatItIsAboutAndWhatItBreaks() throws {
        let parts = try #require(TopologyParts(text))
        let kept = parts.text(about: "Breaks quiet; found in x with seed 1.", breaking: "quiet")
        #expect(kept.hasPrefix("about: Breaks quiet; found in x with seed 1.\nlength: 20s\n"))
        #expect(kept.hasSuffix("expect: violated quiet\n"))
        #expect(
            TopologyParts(kept)?.text(about: "More.", breaking: "alive-again").hasSuffix(
                "expect:\n- violated quiet\n- violated alive-again\n") == true)
    }

    @Test func aDefectIsWrittenWhereItsDeviceStands() throws {
        let parts = try #require(TopologyParts(text))
        let sick = try #require(parts.text(switchingOn: "lost-request", of: "lock"))
        #expect(sick.contains("defects: [lost-request]"))
        #expect(parts.text(switchingOn: "lost-request", of: "door") == nil)
    }
}
