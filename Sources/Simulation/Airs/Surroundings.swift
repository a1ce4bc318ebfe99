internal import DeviceLink
internal import Scenarios

/// What an air may know of the devices at one moment, and nothing else of the run.
struct Surroundings: Sendable {
    /// The moment, in nanoseconds of virtual time.
    let now: UInt64
    private let devices: [DeviceState]
    private let ways: Ways

    init(at now: UInt64, devices: [DeviceState], ways: Ways) {
        (self.now, self.devices, self.ways) = (now, devices, ways)
    }

    /// What holds now for what `from` sends to `to`.
    func conditions(from: Int, to: Int) -> Conditions { ways.conditions(from: from, to: to) }

    /// Where a device is now, in millimetres.
    func position(of device: Int) -> Position { devices[device].motion.position(at: now) }

    /// Where a device looks, in hundredths of a degree.
    func heading(of device: Int) -> Int64 { Int64(devices[device].spec.heading) }

    /// A device and which of its lives it is, as labels name it: `ben/0`.
    func life(of device: Int) -> String { devices[device].life }
}
