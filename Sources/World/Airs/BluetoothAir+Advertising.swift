import Basics
package import Choices
package import DeviceLink
import Scenarios

/// Advertising, scanning and the making of connections.
extension BluetoothAir {
    /// The time a legacy advertisement of 31 bytes takes at 1 Mbit/s.
    private static let advertisementTime: Nanoseconds = .microseconds(376)

    /// Lets a host's request to its controller take effect, but for a frame, which may be spoilt first.
    ///
    /// Of `cancelled` attempts to connect the host was not told yet.
    ///
    /// - Throws: `Breach` where the controller has no room for it.
    package mutating func perform(
        _ command: BluetoothCommand, of device: Int, cancelled: Int,
        in surroundings: Surroundings, drawing decisions: inout Decisions
    ) throws(Breach) {
        switch command {
        case .advertise(let interval, let data, let scanResponse):
            advertise(
                device, interval: interval, data: data, scanResponse: scanResponse,
                in: surroundings, drawing: &decisions)
        case .stopAdvertising: stopAdvertising(device)
        case .scan(let active, let period):
            scan(device, active: active, period: period, in: surroundings, drawing: &decisions)
        case .stopScan: stopScan(device)
        case .connect(let peer, let parameters):
            try connect(device, to: peer, parameters, in: surroundings, drawing: &decisions)
        case .cancelConnect(let peer):
            try cancelConnect(device, to: peer, cancelled: cancelled, in: surroundings)
        case .acl: preconditionFailure("frames are sent")
        case .disconnect(let handle, let reason):
            disconnect(handle, of: device, reason: reason, in: surroundings)
        case .encrypt(let handle, let key, let random, let diversifier):
            try request(
                .encryptionRequest(key: key, random: random, diversifier: diversifier), on: handle,
                of: device, at: surroundings.now)
        case .longTermKey(let handle, let key):
            try request(.encryptionReply(key), on: handle, of: device, at: surroundings.now)
        case .updateConnection(let handle, let parameters):
            try request(.update(parameters), on: handle, of: device, at: surroundings.now)
        case .setAddress(let address): controllers[device].address = address
        }
    }

    /// A controller after a reset: idle, and every link of before forgotten.
    package mutating func resetController(
        of device: Int, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        controllerDied(of: device, in: surroundings, drawing: &decisions)
        let old = controllers[device]
        controllers[device] = Controller()
        controllers[device].advertiser = old.advertiser
        controllers[device].advertisements = old.advertisements
    }

    /// An accessory's process died, and its controller with it.
    package mutating func controllerDied(
        of device: Int, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        silence(device)
        for handle in controllers[device].handles where handle.slot >= 0 {
            forget(handle, in: surroundings, drawing: &decisions)
        }
    }

    /// An app's process died: the system around it ends its links in an orderly way.
    package mutating func appDied(of device: Int, at now: UInt64) {
        silence(device)
        for handle in controllers[device].handles where handle.slot >= 0 {
            links[handle.slot].dropQueued(by: handle.side)
            send(.terminate(0x13), as: handle, at: now)
        }
    }

    private mutating func silence(_ device: Int) {
        stopAdvertising(device)
        stopScan(device)
        controllers[device].attempts = []
    }

    // MARK: Advertising

    private mutating func advertise(
        _ device: Int, interval: UInt16, data: [UInt8], scanResponse: [UInt8],
        in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        let wasAdvertising = controllers[device].advertising != nil
        controllers[device].advertising = Controller.Advertising(
            interval: UInt64(max(interval, 0x20)) * 625_000, data: data, scanResponse: scanResponse)
        if !wasAdvertising {
            outbox.append(.trace(.airAdvertising, device: device, [Field("on", true)]))
        }
        wakeAdvertiser(device, in: surroundings, drawing: &decisions)
    }

    private mutating func stopAdvertising(_ device: Int) {
        guard controllers[device].advertising != nil else { return }
        controllers[device].advertising = nil
        if controllers[device].isPlanned {
            controllers[device].isPlanned = false
            outbox.append(.cancel(.advertising(device: device)))
        }
        outbox.append(.trace(.airAdvertising, device: device, [Field("on", false)]))
    }

    /// Plans a device's next advertising event where somebody listens; nobody else would notice it.
    private mutating func wakeAdvertiser(
        _ device: Int, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        guard let advertising = controllers[device].advertising, isHeard(device, in: surroundings)
        else { return }
        let advertiser =
            controllers[device].advertiser
            ?? Decisions.Owner(String(joining: "advertising ", surroundings.name(of: device)))
        controllers[device].advertiser = advertiser
        guard !controllers[device].isPlanned else { return }
        let phase = decisions.below(
            advertising.interval, advertiser, controllers[device].advertisements, .phase)
        planAdvertisement(of: device, at: surroundings.now + phase)
    }

    private mutating func planAdvertisement(of device: Int, at moment: UInt64) {
        controllers[device].isPlanned = true
        controllers[device].advertisements += 1
        outbox.append(
            .schedule(
                .advertisement(device: device), in: .advertising(device: device), at: moment))
    }

    private func isHeard(_ device: Int, in surroundings: Surroundings) -> Bool {
        let shown = address(of: device, in: surroundings)
        return controllers.indices.contains { listener in
            listener != device
                && (controllers[listener].scan != nil
                    || controllers[listener].attempts.contains { $0.peer == shown })
        }
    }

    /// One advertising event: reports to all who scan, a connection for one who waits.
    mutating func advertise(
        once device: Int, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        controllers[device].isPlanned = false
        guard let advertising = controllers[device].advertising,
            let advertiser = controllers[device].advertiser
        else { return }
        let ordinal = controllers[device].advertisements
        for scanner in controllers.indices where scanner != device {
            report(
                advertising, of: device, to: scanner, ordinal: ordinal, in: surroundings,
                drawing: &decisions)
        }
        if let central = initiator(
            for: device, ordinal: ordinal, in: surroundings, drawing: &decisions)
        {
            return establish(
                central: central, peripheral: device, in: surroundings, drawing: &decisions)
        }
        guard isHeard(device, in: surroundings) else { return }
        let late = decisions.below(10_000_001, advertiser, ordinal, .advertisingDelay)
        planAdvertisement(of: device, at: surroundings.now + advertising.interval + late)
    }

    /// Whether what `from` sends at this moment can be heard by `to`.
    private func reaches(from: Int, to: Int, in surroundings: Surroundings) -> Bool {
        let way = surroundings.conditions(from: from, to: to)
        return !way.isPartitioned
            && surroundings.distance(between: from, and: to, at: surroundings.now)
                <= way.reach(of: air.bluetoothRange)
    }

    private mutating func report(
        _ advertising: Controller.Advertising, of device: Int, to scanner: Int, ordinal: UInt64,
        in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        guard let scan = controllers[scanner].scan else { return }
        if let last = controllers[scanner].reported[device],
            scan.period > 0 && surroundings.now < last + scan.period
        {
            return
        }
        guard
            isReceived(
                from: device, by: scanner, ordinal: ordinal, in: surroundings, drawing: &decisions)
        else { return }
        controllers[scanner].reported[device] = surroundings.now
        let earliest = surroundings.now + Self.advertisementTime
        let hostDelay = surroundings.conditions(from: device, to: scanner).hostDelay
        let payloads = [(false, advertising.data), (true, advertising.scanResponse)]
        for (isScanResponse, data) in payloads {
            guard !isScanResponse || (scan.isActive && !data.isEmpty) else { continue }
            outbox.append(
                .tell(
                    .advertisingReport(
                        peer: address(of: device, in: surroundings), isScanResponse: isScanResponse,
                        isConnectable: true,
                        rssi: signalStrength(from: device, to: scanner, in: surroundings),
                        data: data),
                    device: scanner, in: .reports(device: scanner), earliest: earliest,
                    latest: earliest + hostDelay))
        }
    }

    private mutating func isReceived(
        from device: Int, by listener: Int, ordinal: UInt64,
        in surroundings: Surroundings, drawing decisions: inout Decisions
    ) -> Bool {
        guard reaches(from: device, to: listener, in: surroundings) else { return false }
        let loss = surroundings.conditions(from: device, to: listener).loss
        guard loss.numerator > 0 else { return true }
        let owner = Decisions.Owner(
            String(
                joining: "advertising ", surroundings.name(of: device), " to ",
                surroundings.name(of: listener)))
        return !decisions.happens(loss.numerator, outOf: loss.denominator, owner, ordinal, .loss)
    }

    /// A plausible RSSI: -40 dBm within a metre, 6 dB less each time the distance doubles and behind an obstacle.
    private func signalStrength(
        from device: Int, to listener: Int, in surroundings: Surroundings
    ) -> Int8 {
        let metres =
            surroundings.distance(between: device, and: listener, at: surroundings.now) / 1_000
        let doublings = Int64.bitWidth - max(metres, 1).leadingZeroBitCount - 1
        let isObstructed = surroundings.radioConditions(from: device, to: listener).isObstructed
        let lost = 6 * doublings + (isObstructed ? Obstacle.attenuation : 0)
        return Int8(max(-100, -40 - lost))
    }

    // MARK: Scanning

    private mutating func scan(
        _ device: Int, active: Bool, period: UInt16, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) {
        let wasScanning = controllers[device].scan != nil
        controllers[device].scan = Controller.Scan(
            isActive: active, period: UInt64(period) * 1_280_000_000)
        controllers[device].reported = [:]
        if !wasScanning { outbox.append(.trace(.airScanning, device: device, [Field("on", true)])) }
        for advertiser in controllers.indices {
            wakeAdvertiser(advertiser, in: surroundings, drawing: &decisions)
        }
    }

    private mutating func stopScan(_ device: Int) {
        guard controllers[device].scan != nil else { return }
        controllers[device].scan = nil
        outbox.append(.trace(.airScanning, device: device, [Field("on", false)]))
    }

    // MARK: Connecting

    private mutating func connect(
        _ device: Int, to peer: Address, _ parameters: ConnectionParameters,
        in surroundings: Surroundings, drawing decisions: inout Decisions
    ) throws(Breach) {
        guard peer != address(of: device, in: surroundings) else { return }
        controllers[device].attempts.removeAll { $0.peer == peer }
        guard controllers[device].attempts.count < Controller.mostAttempts else {
            throw .oneMore(than: Controller.mostAttempts, "attempts to connect at a time")
        }
        controllers[device].attempts.append(
            Controller.Attempt(peer: peer, parameters: parameters))
        guard let index = self.device(at: peer, in: surroundings) else { return }
        outbox.append(
            .trace(
                .airConnecting, device: device, [Field("peer", .text(surroundings.name(of: index)))]
            ))
        wakeAdvertiser(index, in: surroundings, drawing: &decisions)
    }

    private mutating func cancelConnect(
        _ device: Int, to peer: Address, cancelled: Int, in surroundings: Surroundings
    ) throws(Breach) {
        guard
            let attempt = controllers[device].attempts.first(where: { $0.peer == peer })
        else { return }
        controllers[device].attempts.removeAll { $0.peer == peer }
        guard cancelled < Controller.mostCancelled else {
            throw .oneMore(
                than: Controller.mostCancelled,
                "cancelled attempts to connect of which the device was not told yet")
        }
        outbox.append(
            .tell(
                .connectionComplete(
                    status: 0x02, handle: 0, isCentral: true, peer: peer, attempt.parameters),
                device: device, in: .attempts(device: device), earliest: surroundings.now,
                latest: surroundings.now + air.hostDelay))
    }

    /// Who of those that wait for this advertiser gets it.
    private mutating func initiator(
        for device: Int, ordinal: UInt64, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) -> Int? {
        let shown = address(of: device, in: surroundings)
        var waiting: [Int] = []
        for listener in controllers.indices {
            guard controllers[listener].attempts.contains(where: { $0.peer == shown }),
                reaches(from: listener, to: device, in: surroundings),
                isReceived(
                    from: device, by: listener, ordinal: ordinal, in: surroundings,
                    drawing: &decisions)
            else { continue }
            waiting.append(listener)
        }
        guard waiting.count > 1 else { return waiting.first }
        let owner = Decisions.Owner(String(joining: "advertising ", surroundings.name(of: device)))
        return waiting[Int(decisions.below(UInt64(waiting.count), owner, ordinal, .initiator))]
    }

    private mutating func establish(
        central: Int, peripheral: Int, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) {
        let shown = address(of: peripheral, in: surroundings)
        guard
            let attempt = controllers[central].attempts.first(where: { $0.peer == shown })
        else { return }
        controllers[central].attempts.removeAll { $0.peer == shown }
        stopAdvertising(peripheral)
        open(
            central: central, peripheral: peripheral, attempt.parameters, in: surroundings,
            drawing: &decisions)
    }
}
