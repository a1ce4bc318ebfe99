import Artifacts
import DeviceLink

extension RunReport {
    /// How many lines of a log are told.
    private static let told = 6

    /// Takes the end of the log of the device at which something went wrong first, or of the first one that has logged
    /// anything until then; `devices` are those of the run whose `folder` this is.
    package mutating func takeLog(of devices: [String], in folder: String) {
        // What a dying device said stands in its failure.
        guard [.violated, .inconclusive].contains(status) else { return }
        let first = firstViolation?.violation
        let end = VirtualTime(nanoseconds: first?.time ?? .max)
        let others = devices.filter { $0 != first?.device }
        for device in [first?.device].compactMap(\.self) + others {
            let lines = DeviceLog(of: device, in: folder).last(Self.told, until: end)
            guard !lines.isEmpty else { continue }
            let texts = lines.map { "\(Console.seconds($0.time.nanoseconds))  \($0.text)" }
            return log = LogEnd(device: device, lines: texts)
        }
    }
}
