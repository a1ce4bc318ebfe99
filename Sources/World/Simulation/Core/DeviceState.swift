internal import Basics
internal import Choices
package import DeviceLink
internal import Scenarios
internal import Traces

/// What the core knows of one device.
struct DeviceState: Sendable {
    let spec: DeviceSpec
    let name: String
    let role: DeviceRole
    /// Whether it is a host that speaks HCI.
    let isBehindHCI: Bool
    let address: Address
    /// The address as observations write it.
    let addressText: String
    /// Others that it has shown, in the same way.
    private(set) var shownAddresses: [String] = []
    var motion: Motion
    var turning: Turning
    /// Whether it is held in portrait orientation.
    var isUpright = true
    /// How bright it is where it is, in lux.
    var light: UInt32
    /// Its camera, as long as that is on.
    var camera: CameraState?
    /// How often this life has switched it on.
    var cameraStarts = 0
    /// How often it was started.
    private(set) var starts: UInt32 = 0
    /// Which of its lives this is: the first one is 0.
    private(set) var incarnation: UInt32 = 0
    /// The device and which of its lives this is, as labels name it: `ben/0`.
    private(set) var life: String
    var isAlive = false
    var isFrozen = false
    /// Whether it was granted a turn that has not ended.
    var hasTurn = false
    /// Set by a fault: the device dies in its next turn, after so many answers.
    var killAfterAnswers: Int?
    /// What it asked to keep, sorted by key.
    var stored: [StoredPair] = []
    /// Its timers' and queues' channels.
    var timers = NamedChannels()
    var queues = NamedChannels()
    /// How much longer its queues keep what it posts to them (a fault), in nanoseconds.
    var queueWait: UInt64 = 0
    /// How many of its timers are set and of its items wait, together.
    var waiting = 0
    private var storedBytes = 0

    init(_ spec: DeviceSpec) {
        self.spec = spec
        name = spec.name
        role = spec.role
        isBehindHCI = spec.host != nil
        address = World.address(of: spec.name)
        addressText = address.description
        life = String(joining: spec.name, "/0")
        motion = Motion(from: spec.position, along: spec.path)
        turning = Turning(
            from: Aim(heading: Geometry.normalized(Int64(spec.heading)), pitch: 0))
        isUpright = spec.isUpright
        light = spec.light
    }

    /// Keeps an address that it shows from now on.
    mutating func show(_ address: Address) {
        let text = address.description
        if text != addressText, !shownAddresses.contains(text) { shownAddresses.append(text) }
    }

    /// Whether an observation means it by an address.
    func isMeant(by text: String) -> Bool { addressText == text || shownAddresses.contains(text) }

    /// Another life begins.
    mutating func start() {
        if starts > 0 {
            incarnation += 1
            life = String(joining: name, "/", String(incarnation))
        }
        starts += 1
        cameraStarts = 0
        isAlive = true
        killAfterAnswers = nil
    }

    mutating func store(_ key: String, _ value: [UInt8]?) throws(Breach) {
        let place = placeOfStored(key)
        let exists = place < stored.count && stored[place].key == key
        let old = exists ? key.utf8.count + stored[place].value.count : 0
        let bytes = storedBytes - old + (value.map { key.utf8.count + $0.count } ?? 0)
        let pairs = stored.count + (value == nil || exists ? 0 : 1)
        guard pairs <= LinkLimits.storedPairs else {
            throw Breach(
                at: 0, expected: "at most \(LinkLimits.storedPairs) stored pairs",
                found: "one more")
        }
        guard bytes <= LinkLimits.storedBytes else {
            throw Breach(
                at: 0,
                expected: "at most \(LinkLimits.storedBytes) bytes of stored keys and values",
                found: "\(bytes)")
        }
        storedBytes = bytes
        switch (value, exists) {
        case (let value?, true): stored[place].value = value
        case (let value?, false): stored.insert(StoredPair(key, value), at: place)
        case (nil, true): stored.remove(at: place)
        case (nil, false): break
        }
    }

    /// Where a key stands in order, or would stand.
    private func placeOfStored(_ key: String) -> Int {
        var (low, high) = (0, stored.count)
        while low < high {
            let middle = (low + high) / 2
            if stored[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// One more timer that is set, or item that waits.
    mutating func beginWaiting() throws(Breach) {
        guard waiting < LinkLimits.waiting else {
            throw Breach(
                at: 0,
                expected: "at most \(LinkLimits.waiting) timers that are set and items that wait",
                found: "one more")
        }
        waiting += 1
    }

    /// Whether there may be another name.
    @inline(__always)
    func checkNames() throws(Breach) {
        guard timers.count + queues.count < LinkLimits.names else {
            throw Breach(
                at: 0, expected: "at most \(LinkLimits.names) names of timers and queues",
                found: "one more")
        }
    }
}

/// Channels by name.
struct NamedChannels: Sendable {
    private var entries: [(name: String, channel: Int)] = []
    /// Those of `entries`, where they are many.
    private var index: [String: Int] = [:]
    /// So many are a few: to compare them costs less than to hash one.
    private static let few = 16

    var count: Int { entries.count }

    package func channel(of name: String) -> Int? {
        guard entries.count <= Self.few else { return index[name] }
        for index in entries.indices where entries[index].name == name {
            return entries[index].channel
        }
        return nil
    }

    mutating func append(_ channel: Int, of name: String) {
        entries.append((name, channel))
        guard entries.count > Self.few else { return }
        if index.isEmpty { for entry in entries { index[entry.name] = entry.channel } }
        index[name] = channel
    }
}

extension World {
    /// Switches a device on, for the first time or again.
    mutating func start(_ device: Int) {
        guard !devices[device].isAlive else { return }
        devices[device].start()
        let spec = devices[device].spec
        let incarnation = devices[device].incarnation
        if devices[device].starts == 1 { shareBonds(of: device) }
        let owner = Decisions.Owner(String(joining: "device ", life(of: device)))
        let reset = Reset(
            name: spec.name, model: spec.model, incarnation: incarnation,
            key: decisions.number(owner, 0, .key), address: devices[device].address,
            parameters: spec.parameters, defects: spec.defects, stored: devices[device].stored)
        resetController(of: device)
        actions.append(.start(device: device, reset))
        emit(
            .deviceStarted, on: device,
            fields: [
                Field("incarnation", .number(Int64(incarnation))),
                Field("address", .text(devices[device].addressText)),
                Field("role", .text(devices[device].role.rawValue)),
            ])
        let channel = agenda.open(String(joining: "boot ", life(of: device)), device: device)
        deliver(.boot, to: device, in: channel, earliest: now, latest: now)
    }

    /// Starts a device again; one that was to die in its next turn dies now.
    mutating func restart(_ device: Int) {
        if devices[device].killAfterAnswers != nil { kill(device) }
        start(device)
    }

    /// Kills a device's process.
    ///
    /// What it had pending is dropped.
    mutating func kill(_ device: Int) {
        guard devices[device].isAlive else { return }
        thaw(device)
        devices[device].isAlive = false
        devices[device].killAfterAnswers = nil
        actions.append(.kill(device: device))
        emit(.deviceDied, on: device, fields: [Field("cause", "killed")])
        script.processDied(of: devices[device].name)
        for channel in agenda.channels(of: device) { agenda.removeAll(in: channel) }
        devices[device].timers = NamedChannels()
        devices[device].queues = NamedChannels()
        devices[device].waiting = 0
        hostDied(device)
        leaveNetwork(device)
        stopRanging(of: device)
        switchCamera(of: device, to: 0)
    }

    /// Stops a device's process between turns; its controllers live on.
    mutating func freeze(_ device: Int) {
        guard devices[device].isAlive, !devices[device].isFrozen else { return }
        devices[device].isFrozen = true
        agenda.block(device: device)
        actions.append(.freeze(device: device))
        emit(.deviceFrozen, on: device)
    }

    /// Lets a frozen device go on; what waited for it is handed over within the host delay.
    mutating func thaw(_ device: Int) {
        guard devices[device].isFrozen else { return }
        devices[device].isFrozen = false
        agenda.unblock(device: device, latest: now + topology.air.hostDelay)
        actions.append(.thaw(device: device))
        emit(.deviceThawed, on: device)
    }

    /// Hands an event to a device within a window, for its present incarnation.
    mutating func deliver(
        _ event: DeviceEvent, to device: Int, in channel: Int, earliest: UInt64, latest: UInt64
    ) {
        agenda.add(
            .deliver(event, incarnation: devices[device].incarnation), to: channel,
            earliest: earliest, latest: latest)
    }

    /// A bond that the topology gives both sides before the run.
    private mutating func shareBonds(of device: Int) {
        for (index, peer) in devices.enumerated() where index != device {
            let spec = devices[device].spec
            guard spec.bonded.contains(peer.name) || peer.spec.bonded.contains(spec.name) else {
                continue
            }
            let names = [spec.name, peer.name].sorted()
            let owner = Decisions.Owner("bond \(names[0]) \(names[1])")
            let key = Keyed(decisions.number(owner, 0, .key)).bytes(16)
            // Far below what a device may store, with all devices that a topology may have.
            try? devices[device].store(BondKey.of(peer.address), key)
        }
    }
}

extension DeviceSpec {
    /// What the reset frame calls the model.
    var model: String {
        switch program {
        case .appleDevice(let model): model
        case .accessory(let profile): profile
        case .executable(_, _, let model), .host(_, let model), .dialsIn(let model): model
        }
    }

    /// Whether a system around the app, somebody else's or ours, keeps the Bluetooth controller alive when the process
    /// dies.
    var hasSystem: Bool { role == .appleDevice }
}

extension World {
    /// The static random address of a name: the two most significant bits are set (Core Spec Vol 6
    /// Part B 1.3.2.1).
    package static func address(of name: String) -> Address {
        Address(Keyed(0).with("address").with(name).value & 0xFFFF_FFFF_FFFF | 0xC000_0000_0000)
    }
}
