import BenchDevices
import DeviceChamber
import DeviceKit
import Testing

/// The devices to measure with, in an air that loses nothing and is never late.
struct BenchDeviceTests {
    private let chamber = Chamber()

    @discardableResult
    private func add(
        _ name: String, _ model: String, _ address: UInt64, _ parameters: [(String, String)] = [],
        defects: [String] = []
    ) throws -> Int {
        try chamber.add(
            BenchDevice.self,
            Reset(
                name: name, model: model, address: Address(address),
                parameters: parameters.map { Pair($0.0, $0.1) }, defects: defects))
    }

    @Test func aTickerTicksAtItsPace() throws {
        try add("a", "ticker", 1, [("period", "10000000"), ("phase", "3000000")])
        chamber.run(for: .milliseconds(40))
        #expect(chamber.answers.map { $0.time.nanoseconds / 1_000_000 } == [0, 3, 13, 23, 33])
    }

    @Test func anExchangeBeginsAnewWhenItIsOver() throws {
        try add("lock", "peripheral", 0xB0)
        let phone = try add("ben", "central", 0xA0)
        chamber.run(for: .seconds(5))
        #expect(chamber.kinds(of: phone, "app.received").count > 1)
    }

    /// What each participant of a transaction hears.
    private func outcomes(refusing: Bool) throws -> [Field.Value] {
        let people = try ["anna", "bert"].enumerated().map { place, name in
            try add(
                name, "participant", 0xB0 + UInt64(place),
                [("refuses", "\(refusing && name == "bert")")])
        }
        try add("boss", "coordinator", 0xA0, [("peers", "anna bert")])
        chamber.run(for: .seconds(5))
        return people.flatMap {
            chamber.values(of: "outcome", in: "transaction.ended", device: $0)
        }
    }

    @Test func aTransactionIsCommittedWhereAllVoteForIt() throws {
        #expect(try outcomes(refusing: false) == [.text("commit"), .text("commit")])
    }

    @Test func oneVoteAgainstAbortsATransaction() throws {
        #expect(try outcomes(refusing: true) == [.text("abort"), .text("abort")])
    }

    @Test(
        arguments: [
            ("tikcer", [], [], "there is no model \"tikcer\"; did you mean ticker?"),
            (
                "ticker", [("phrase", "1")], [],
                "there is no parameter \"phrase\"; did you mean phase?"
            ),
            (
                "coordinator", [], ["commits-late"],
                "there is no defect \"commits-late\"; did you mean commits-early?"
            ),
        ] as [(String, [(String, String)], [String], String)])
    func whatItHasNotIsRefused(
        model: String, parameters: [(String, String)], defects: [String], reason: String
    ) {
        let refusal = #expect(throws: Refusal.self) {
            try add("it", model, 1, parameters, defects: defects)
        }
        #expect(refusal?.reason == reason)
    }
}
