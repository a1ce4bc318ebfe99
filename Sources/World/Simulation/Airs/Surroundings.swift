internal import DeviceLink
internal import Scenarios

/// What an air or the script may know of the devices at one moment, and nothing else of the run.
struct Surroundings: Sendable {
    /// The moment, in nanoseconds of virtual time.
    var now: UInt64
    // The world's; an air and the script ask below.
    var devices: [DeviceState]
    var ways: Ways

    init(at now: UInt64, devices: [DeviceState], ways: Ways) {
        (self.now, self.devices, self.ways) = (now, devices, ways)
    }

    /// What holds now for what `from` sends to `to`.
    func conditions(from: Int, to: Int) -> Conditions { ways.conditions(from: from, to: to) }

    /// What holds for what `from` sends to `to` where nothing disturbs.
    func undisturbed(from: Int, to: Int) -> Conditions { ways.undisturbed(from: from, to: to) }

    /// What holds now for what a radio sends to another one, in whose way the walls stand, too.
    func radioConditions(from: Int, to: Int) -> Conditions {
        radioConditions(from: from, to: to, at: now)
    }

    private func radioConditions(from: Int, to: Int, at moment: UInt64) -> Conditions {
        var conditions = ways.conditions(from: from, to: to)
        guard !ways.walls.isEmpty, !conditions.isObstructed else { return conditions }
        let (here, there) = (
            devices[from].motion.position(at: moment), devices[to].motion.position(at: moment)
        )
        conditions.isObstructed = ways.walls.contains { $0.stands(between: here, and: there) }
        return conditions
    }

    /// Where a device is now, in millimetres.
    func position(of device: Int) -> Position { devices[device].motion.position(at: now) }

    /// How far apart two devices are at a moment, in millimetres.
    func distance(between first: Int, and second: Int, at moment: UInt64) -> Int64 {
        Geometry.distance(
            devices[first].motion.position(at: moment), devices[second].motion.position(at: moment))
    }

    /// Whether two devices hear one another at a moment, as far as they may be apart in millimetres where
    /// nothing stands between them.
    func canHear(_ first: Int, _ second: Int, at moment: UInt64, within range: Int64) -> Bool {
        canHear(first, second)
            && distance(between: first, and: second, at: moment)
                <= radioConditions(from: first, to: second, at: moment).reach(of: range)
    }

    /// Whether no partition keeps two devices apart, either way.
    func canHear(_ first: Int, _ second: Int) -> Bool {
        !ways.conditions(from: first, to: second).isPartitioned
            && !ways.conditions(from: second, to: first).isPartitioned
    }

    /// Whether a device will never move again after a moment.
    func isStill(_ device: Int, after moment: UInt64) -> Bool {
        devices[device].motion.isStill(after: moment)
    }

    /// Whether somebody on a device answers on the network: its program, or the system around it.
    func answers(_ device: Int) -> Bool {
        devices[device].isAlive || devices[device].starts > 0 && hasSystem(device)
    }

    /// Whether it is an Apple device, whose system is there even where its app is not.
    func hasSystem(_ device: Int) -> Bool { devices[device].spec.hasSystem }

    /// Whether a device has a process that can be told something.
    func isAlive(_ device: Int) -> Bool { devices[device].isAlive }

    /// Whether a device is a host that speaks HCI.
    func isBehindHCI(_ device: Int) -> Bool { devices[device].isBehindHCI }

    /// Whether a device's process is stopped between turns.
    func isFrozen(_ device: Int) -> Bool { devices[device].isFrozen }

    /// Whether a device dies in its next turn.
    func isDoomed(_ device: Int) -> Bool { devices[device].killAfterAnswers != nil }

    /// How much longer a device's queues keep what is posted to them, in nanoseconds.
    func queueWait(of device: Int) -> UInt64 { devices[device].queueWait }

    /// The device of a name; nil where none has it.
    func device(named name: String) -> Int? { devices.firstIndex { $0.name == name } }

    /// The devices of a pair; nil where one of them is none.
    func places(of pair: DevicePair) -> (first: Int, second: Int)? {
        guard let first = device(named: pair.first), let second = device(named: pair.second) else {
            return nil
        }
        return (first, second)
    }

    /// The name of a device.
    func name(of device: Int) -> String { devices[device].name }

    /// The Bluetooth address of a device.
    func address(of device: Int) -> Address { devices[device].address }

    /// The device that has an address; nil where none has.
    func device(at address: Address) -> Int? { devices.firstIndex { $0.address == address } }

    /// Where a device looks now.
    func aim(of device: Int) -> Aim { devices[device].turning.aim(at: now) }

    /// Whether a device is held in portrait orientation.
    func isUpright(_ device: Int) -> Bool { devices[device].isUpright }

    /// Whether the camera of a device is on.
    func hasCamera(_ device: Int) -> Bool { devices[device].camera != nil }

    /// A device and which of its lives it is, as labels name it: `ben/0`.
    func life(of device: Int) -> String { devices[device].life }
}
