import AccessoryFirmware
import AppleDevice
import DeviceChamber
import DeviceKit

/// A phone and some accessories in a chamber.
final class Hall {
    let chamber = Chamber()
    let phone: Int
    private(set) var accessories: [Int] = []

    static let bond = [UInt8](repeating: 7, count: 16)

    init(
        _ parameters: [(String, String)] = [], defects: [String] = [],
        accessories: Int = 1, _ accessoryParameters: [(String, String)] = [],
        accessoryDefects: [String] = [], isBonded: Bool = false, permission: String = "allowed",
        model: String = "iPhone12,1"
    ) throws(Refusal) {
        let address = Address(0xA0)
        let peers = (0..<accessories).map { Address(0xB0 + UInt64($0)) }
        let bonds = isBonded ? peers.map { StoredPair("bond/\($0)", Self.bond) } : []
        let pairs = ([("permission", permission)] + parameters).map { Pair($0.0, $0.1) }
        phone = try chamber.add(
            SimulatedAppleDevice.self,
            Reset(
                name: "ben", model: model, key: 1, address: address, parameters: pairs,
                defects: defects, stored: bonds))
        for (number, peer) in peers.enumerated() {
            let added = try chamber.add(
                Accessory.self,
                Reset(
                    name: number == 0 ? "lock" : "lock\(number + 1)", model: "qorvo",
                    key: UInt64(number) + 2, address: peer,
                    parameters: accessoryParameters.map { Pair($0.0, $0.1) },
                    defects: accessoryDefects,
                    stored: isBonded ? [StoredPair("bond/\(address)", Self.bond)] : []))
            self.accessories.append(added)
        }
    }

    /// Lets seconds pass.
    func run(_ seconds: Double) { chamber.run(for: Nanoseconds(seconds * 1_000_000_000)) }

    /// Whether an accessory's radio is on.
    func isRanging(_ accessory: Int = 0) -> Bool { chamber.air.isRanging(accessories[accessory]) }

    /// How often the phone observed something.
    func count(_ kind: String) -> Int { chamber.kinds(of: phone, kind).count }

    /// Observations of the phone, without measurements, since this was asked last.
    var story: [String] {
        defer { told = chamber.observations.count }
        return chamber.observations[told...].filter {
            $0.device == phone && $0.kind != "ni.didUpdate"
        }.map(\.kind)
    }
    private var told = 0
}
