import DeviceLink
import PromiseLibrary
import Promises
import Testing
import Traces

/// What a file of promises can say wrong, and the one message it gets.
struct PromiseMistakeTests {
    private func message(_ text: String) -> String? {
        do {
            _ = try PropertySet(parsing: Array(text.utf8), file: "p.yaml")
            return nil
        } catch { return "\(error)" }
    }

    private func promise(_ lines: String...) -> String {
        """
        fluents:
          linked: {per: [link], set: link.up, clear: link.down}
        promises:
          - promise: one

        """ + lines.map { "    \($0)\n" }.joined()
    }

    @Test func aSumOfDurationsIsHeldToTheLimitOfEach() {
        let sum = Array(repeating: "10080min", count: 31_000).joined(separator: " + ")
        let said = message(promise("when: link.up", "then: link.down", "within: \(sum)"))
        #expect(said?.contains("add up to more than a run can have") == true)
        #expect(
            said?.contains("expected: at most 10080min in all") == true, "\(said?.suffix(80) ?? "")"
        )
    }

    @Test(arguments: [
        ("while: up\n    event: link.down", "`link.down` ends `up`, so it is never inside"),
        ("while: up & !up\n    never: link.up", "`up` stands twice"),
        ("never: link.up with link = 1 and link = 2", "no event can have both values of `link`"),
        (
            "when: link.up\n    then: link.down\n    within: 2 connection",
            "is not a unit of `within`"
        ),
        ("machine: {a: {link.up: c}}", "`link.up` cannot be `c`"),
        ("when: link.up\n    then: link.down\n    same: [lonk]", "`same` cannot be `lonk`"),
        (
            """
            when: link.up
                then: link.down
                same: [device, accessory, apple-device, link, peer, session, ni-session, handle,
                       session-id, address, distance, azimuth, elevation, outcome, configuration,
                       interval, timeout]
            """, "there are too many keys"
        ),
    ])
    func whatCouldNeverTriggerOrMeansNothingIsRefused(lines: String, words: String) throws {
        let needs = lines.contains("event:") ? "\n    needs: link.up" : ""
        let text = """
            fluents: {up: {per: link, set: link.up, clear: link.down}}
            promises:
              - promise: one
                per: link
                \(lines)\(needs)
            """
        do {
            _ = try PropertySet(parsing: Array(text.utf8), file: "p.yaml")
            Issue.record("it was read: \(text)")
        } catch {
            #expect("\(error)".contains(words), "\(error)")
        }
    }

    @Test func aWholePromiseIsRead() throws {
        let set = try PropertySet(
            parsing: Array(
                promise(
                    "clause: R4 2.3", "level: should", "keeper: accessory", "says: It answers.",
                    "per: [link]", "while: linked", "when: msg.initialize.received",
                    "then: [msg.accessoryConfigurationData.sent, uwb.starting]", "within: 2s",
                    "unless: msg.stop.received"
                ).utf8), file: "p.yaml")
        #expect(
            set.properties == [
                Property(
                    "one", clause: "R4 2.3", level: .should, keeper: .accessory,
                    sentence: "It answers.", keys: [.field("link")],
                    scope: Property.Condition([.init("linked")]),
                    body: .response(
                        when: [EventPattern(kind: "msg.initialize.received")],
                        then: [
                            EventPattern(kind: "msg.accessoryConfigurationData.sent"),
                            EventPattern(kind: "uwb.starting"),
                        ], within: Property.TimeBound(.seconds(2)),
                        unless: [EventPattern(kind: "msg.stop.received")]))
            ])
    }

    @Test(arguments: [
        (
            "newer: link.up",
            """
            p.yaml:5:5: error: a promise has no key `newer`
             5 |     newer: link.up
               |     ^~~~~
            did you mean: never
            """
        ),
        (
            "never: link.upp",
            """
            p.yaml:5:12: error: there is no event `link.upp`
             5 |     never: link.upp
               |            ^~~~~~~~
            expected: the kind of an event, like link.up or msg.initialize
            did you mean: link.up
            """
        ),
        (
            "always: linkd",
            """
            p.yaml:5:13: error: there is no fluent `linkd`
             5 |     always: linkd
               |             ^~~~~
            expected: linked
            did you mean: linked
            """
        ),
        (
            "eventually: {within: 3}",
            """
            p.yaml:5:17: error: `eventually` cannot be a mapping
             5 |     eventually: {within: 3}
               |                 ^
            expected: an event, like link.up
            """
        ),
    ])
    func aMistakeIsOneMessage(line: String, expected: String) {
        #expect(message(promise(line)) == expected)
    }

    @Test(arguments: [
        (["never: link.up", "within: 2s"], "`within` does not go with `never`"),
        (["event: link.up"], "this promise says nothing"),
        (["count: link.up"], "`count` needs a bound"),
        (["count: link.up", "min: 3", "max: 2"], "`min` is greater than `max`"),
        (["count: link.up", "min: 3", "over: 2s"], "`min` does not go with `over`"),
        (
            ["when: link.up", "then: link.down", "within: 2"],
            "`2` has no unit"
        ),
        (["per: [lnk]", "never: link.up"], "`per` cannot be `lnk`"),
        (["always: linked & !linked"], "`linked` stands twice"),
        (["at-most: 1", "of: on"], "`on` without quotes means true or false"),
    ])
    func aContradictionIsNamed(lines: [String], words: String) {
        let text = promise() + lines.map { "    \($0)\n" }.joined()
        #expect(message(text)?.contains(words) == true, "\(message(text) ?? "no error")")
    }
}
