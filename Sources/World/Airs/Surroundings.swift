package import DeviceLink
package import Scenarios

/// What an air or the script may know of the devices at one moment, and nothing else of the run.
package struct Surroundings: Sendable {
    /// The moment, in nanoseconds of virtual time.
    package var now: UInt64
    // The world's; an air and the script ask below.
    package var devices: [DeviceState]
    package var ways: Ways

    package init(at now: UInt64, devices: [DeviceState], ways: Ways) {
        (self.now, self.devices, self.ways) = (now, devices, ways)
    }

    /// What holds now for what `from` sends to `to`.
    package func conditions(from: Int, to: Int) -> Conditions {
        ways.conditions(from: from, to: to)
    }

    /// What holds for what `from` sends to `to` where nothing disturbs.
    package func undisturbed(from: Int, to: Int) -> Conditions {
        ways.undisturbed(from: from, to: to)
    }

    /// What holds now for what a radio sends to another one, in whose way the walls stand, too.
    package func radioConditions(from: Int, to: Int) -> Conditions {
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
    package func position(of device: Int) -> Position { devices[device].motion.position(at: now) }

    /// How far apart two devices are at a moment, in millimetres.
    package func distance(between first: Int, and second: Int, at moment: UInt64) -> Int64 {
        Geometry.distance(
            devices[first].motion.position(at: moment), devices[second].motion.position(at: moment))
    }

    /// Whether two devices hear one another at a moment, as far as they may be apart in millimetres where
    /// nothing stands between them.
    package func canHear(_ first: Int, _ second: Int, at moment: UInt64, within range: Int64)
        -> Bool
    {
        canHear(first, second)
            && distance(between: first, and: second, at: moment)
                <= radioConditions(from: first, to: second, at: moment).reach(of: range)
    }

    /// Whether no partition keeps two devices apart, either way.
    package func canHear(_ first: Int, _ second: Int) -> Bool {
        !ways.conditions(from: first, to: second).isPartitioned
            && !ways.conditions(from: second, to: first).isPartitioned
    }

    /// Whether a device will never move again after a moment.
    package func isStill(_ device: Int, after moment: UInt64) -> Bool {
        devices[device].motion.isStill(after: moment)
    }

    /// Whether somebody on a device answers on the network: its program, or the system around it.
    package func answers(_ device: Int) -> Bool {
        devices[device].isAlive || devices[device].starts > 0 && hasSystem(device)
    }

    /// Whether it is an Apple device, whose system is there even where its app is not.
    package func hasSystem(_ device: Int) -> Bool { devices[device].spec.hasSystem }

    /// Whether a device has a process that can be told something.
    package func isAlive(_ device: Int) -> Bool { devices[device].isAlive }

    /// Whether a device is a host that speaks HCI.
    package func isBehindHCI(_ device: Int) -> Bool { devices[device].isBehindHCI }

    /// Whether a device's process is stopped between turns.
    package func isFrozen(_ device: Int) -> Bool { devices[device].isFrozen }

    /// Whether a device dies in its next turn.
    package func isDoomed(_ device: Int) -> Bool { devices[device].killAfterAnswers != nil }

    /// How much longer a device's queues keep what is posted to them, in nanoseconds.
    package func queueWait(of device: Int) -> UInt64 { devices[device].queueWait }

    /// The device of a name; nil where none has it.
    package func device(named name: String) -> Int? { devices.firstIndex { $0.name == name } }

    /// The devices of a pair; nil where one of them is none.
    package func places(of pair: DevicePair) -> (first: Int, second: Int)? {
        guard let first = device(named: pair.first), let second = device(named: pair.second) else {
            return nil
        }
        return (first, second)
    }

    package func name(of device: Int) -> String { devices[device].name }

    /// What the trace shows of a link to a peer.
    package func fields(ofLink link: Int, to peer: Int) -> [Field] {
        [Field("link", .number(Int64(link))), Field("peer", .text(name(of: peer)))]
    }

    package func address(of device: Int) -> Address { devices[device].address }

    /// The device that has an address; nil where none has.
    package func device(at address: Address) -> Int? {
        devices.firstIndex { $0.address == address }
    }

    package func aim(of device: Int) -> Aim { devices[device].turning.aim(at: now) }

    /// Whether a device is held in portrait orientation.
    package func isUpright(_ device: Int) -> Bool { devices[device].isUpright }

    package func hasCamera(_ device: Int) -> Bool { devices[device].camera != nil }

    /// A device and which of its lives it is, as labels name it: `ben/0`.
    package func life(of device: Int) -> String { devices[device].life }
}

extension RoomPlace {
    /// As a device is told.
    package init(_ position: Position) {
        self.init(
            x: Int32(clamping: position.x), y: Int32(clamping: position.y),
            z: Int32(clamping: position.z))
    }
}
