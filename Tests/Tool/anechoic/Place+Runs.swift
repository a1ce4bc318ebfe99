import TestSupport
import Testing

extension Place {
    /// A failing run in which the link ends at a moment, and the accessory ranges on: a race in the handshake, and none
    /// behind it.
    ///
    /// - Returns: Its replay file.
    func rangesOnBehindItsLink(from moment: String) throws -> String {
        try write(
            """
            length: 4s
            devices:
              ben: {model: iPhone 11}
              lock: {profile: qorvo, defects: [ranges-after-disconnect]}
            steps:
              - {at: \(moment), partition: [ben, lock], one-way: true}
            """, to: "dropped.yaml")
        #expect(try Command.run("run", "dropped.yaml", in: self).status == 1)
        return "out/dropped/1/replay.json"
    }
}
