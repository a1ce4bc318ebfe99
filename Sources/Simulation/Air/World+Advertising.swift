internal import DeviceLink
internal import Scenarios

/// Advertising, scanning and the making of connections.
extension World {
    /// The time a legacy advertisement of 31 bytes takes at 1 Mbit/s.
    private static let advertisementTime: Nanoseconds = .microseconds(376)

    /// Lets a host's request to its controller take effect.
    ///
    /// - Throws: `Breach` where the controller has no room for it.
    mutating func perform(_ command: BluetoothCommand, of device: Int) throws(Breach) {
        switch command {
        case .advertise(let interval, let data, let scanResponse):
            advertise(device, interval: interval, data: data, scanResponse: scanResponse)
        case .stopAdvertising:
            stopAdvertising(device)
        case .scan(let active, let period):
            scan(device, active: active, period: period)
        case .stopScan:
            stopScan(device)
        case .connect(let peer, let parameters):
            connect(device, to: peer, parameters)
        case .cancelConnect(let peer):
            try cancelConnect(device, to: peer)
        case .acl(let handle, let frame):
            try request(.data(frame), on: handle, of: device)
        case .disconnect(let handle, let reason):
            disconnect(handle, of: device, reason: reason)
        case .encrypt(let handle, let key):
            try request(.encryptionRequest(key), on: handle, of: device)
        case .longTermKey(let handle, let key):
            try request(.encryptionReply(key), on: handle, of: device)
        case .updateConnection(let handle, let parameters):
            try request(.update(parameters), on: handle, of: device)
        }
    }

    /// A controller after a reset: idle, and every link of before forgotten.
    mutating func resetController(of device: Int) {
        silence(device)
        for handle in bluetooth.controllers[device].handles where handle.slot >= 0 {
            forget(handle)
        }
        let channels = bluetooth.controllers[device]
        bluetooth.controllers[device] = Controller()
        bluetooth.controllers[device].advertisingChannel = channels.advertisingChannel
        bluetooth.controllers[device].reportChannel = channels.reportChannel
        bluetooth.controllers[device].attemptChannel = channels.attemptChannel
    }

    /// A process died.
    ///
    /// An accessory's controller dies with it; the system around an app ends the app's links in an
    /// orderly way.
    mutating func hostDied(_ device: Int) {
        silence(device)
        for handle in bluetooth.controllers[device].handles where handle.slot >= 0 {
            if devices[device].spec.hasSystem {
                bluetooth.links[handle.slot].dropQueued(by: handle.side)
                send(.terminate(0x13), on: handle.value, of: device)
            } else {
                forget(handle)
            }
        }
    }

    private mutating func silence(_ device: Int) {
        stopAdvertising(device)
        stopScan(device)
        bluetooth.controllers[device].attempts = []
    }

    // MARK: Advertising

    private mutating func advertise(
        _ device: Int, interval: UInt16, data: [UInt8], scanResponse: [UInt8]
    ) {
        let wasAdvertising = bluetooth.controllers[device].advertising != nil
        bluetooth.controllers[device].advertising = Controller.Advertising(
            interval: UInt64(max(interval, 0x20)) * 625_000, data: data, scanResponse: scanResponse)
        if !wasAdvertising {
            emit(.airAdvertising, on: device, fields: [Field("on", true)])
        }
        wakeAdvertiser(device)
    }

    private mutating func stopAdvertising(_ device: Int) {
        guard bluetooth.controllers[device].advertising != nil else { return }
        bluetooth.controllers[device].advertising = nil
        if let channel = bluetooth.controllers[device].advertisingChannel {
            agenda.removeAll(in: channel)
        }
        emit(.airAdvertising, on: device, fields: [Field("on", false)])
    }

    /// Plans a device's next advertising event where somebody listens; nobody else would notice it.
    private mutating func wakeAdvertiser(_ device: Int) {
        guard let advertising = bluetooth.controllers[device].advertising, isHeard(device) else {
            return
        }
        let channel =
            bluetooth.controllers[device].advertisingChannel
            ?? agenda.open(String(joining: "advertising ", devices[device].name))
        bluetooth.controllers[device].advertisingChannel = channel
        guard agenda.channels[channel].isEmpty else { return }
        let phase = decisions.below(
            advertising.interval, agenda.channels[channel].owner,
            agenda.channels[channel].nextOrdinal, .phase)
        agenda.add(
            .air(.advertisement(device: device)), to: channel, earliest: now + phase,
            latest: now + phase)
    }

    private func isHeard(_ device: Int) -> Bool {
        bluetooth.controllers.indices.contains { listener in
            listener != device
                && (bluetooth.controllers[listener].scan != nil
                    || bluetooth.controllers[listener].attempts.contains { $0.peer == device })
        }
    }

    /// One advertising event: reports to all who scan, a connection for one who waits.
    mutating func advertise(once device: Int) {
        guard let advertising = bluetooth.controllers[device].advertising,
            let channel = bluetooth.controllers[device].advertisingChannel
        else { return }
        let ordinal = agenda.channels[channel].nextOrdinal
        for scanner in devices.indices where scanner != device {
            report(advertising, of: device, to: scanner, ordinal: ordinal)
        }
        if let central = initiator(for: device, ordinal: ordinal) {
            establish(central: central, peripheral: device)
            return
        }
        guard isHeard(device) else { return }
        let late = decisions.below(
            10_000_001, agenda.channels[channel].owner, ordinal, .advertisingDelay)
        let next = now + advertising.interval + late
        agenda.add(.air(.advertisement(device: device)), to: channel, earliest: next, latest: next)
    }

    /// Whether what `from` sends at this moment can be heard by `to`.
    func reaches(from: Int, to: Int) -> Bool {
        !bluetooth.conditions(from: from, to: to).isPartitioned
            && Geometry.distance(
                devices[from].motion.position(at: now), devices[to].motion.position(at: now))
                <= topology.air.bluetoothRange
    }

    private mutating func report(
        _ advertising: Controller.Advertising, of device: Int, to scanner: Int, ordinal: UInt64
    ) {
        guard let scan = bluetooth.controllers[scanner].scan else { return }
        if let last = bluetooth.controllers[scanner].reported[device],
            scan.period > 0 && now < last + scan.period
        {
            return
        }
        guard isReceived(from: device, by: scanner, ordinal: ordinal) else { return }
        bluetooth.controllers[scanner].reported[device] = now
        let channel =
            bluetooth.controllers[scanner].reportChannel
            ?? agenda.open(
                String(joining: "reports to ", devices[scanner].name), device: scanner)
        bluetooth.controllers[scanner].reportChannel = channel
        let payloads = [(false, advertising.data), (true, advertising.scanResponse)]
        for (isScanResponse, data) in payloads {
            guard !isScanResponse || (scan.isActive && !data.isEmpty) else { continue }
            deliver(
                .bluetooth(
                    .advertisingReport(
                        peer: devices[device].address, isScanResponse: isScanResponse,
                        isConnectable: true, rssi: signalStrength(from: device, to: scanner),
                        data: data)),
                to: scanner, in: channel, earliest: now + Self.advertisementTime,
                latest: now + Self.advertisementTime
                    + bluetooth.conditions(from: device, to: scanner).hostDelay)
        }
    }

    private mutating func isReceived(from device: Int, by listener: Int, ordinal: UInt64) -> Bool {
        guard reaches(from: device, to: listener) else { return false }
        let loss = bluetooth.conditions(from: device, to: listener).loss
        guard loss.numerator > 0 else { return true }
        let owner = Decisions.Owner(
            String(
                joining: "advertising ", devices[device].name, " to ", devices[listener].name))
        return !decisions.happens(
            loss.numerator, outOf: loss.denominator, owner, ordinal, .loss)
    }

    /// A plausible RSSI: -40 dBm within a metre, 6 dB less each time the distance doubles.
    private func signalStrength(from device: Int, to listener: Int) -> Int8 {
        let metres =
            Geometry.distance(
                devices[device].motion.position(at: now), devices[listener].motion.position(at: now)
            )
            / 1_000
        let doublings = Int64.bitWidth - max(metres, 1).leadingZeroBitCount - 1
        return Int8(max(-100, -40 - 6 * doublings))
    }

    // MARK: Scanning

    private mutating func scan(_ device: Int, active: Bool, period: UInt16) {
        let wasScanning = bluetooth.controllers[device].scan != nil
        bluetooth.controllers[device].scan = Controller.Scan(
            isActive: active, period: UInt64(period) * 1_280_000_000)
        bluetooth.controllers[device].reported = [:]
        if !wasScanning { emit(.airScanning, on: device, fields: [Field("on", true)]) }
        for advertiser in devices.indices { wakeAdvertiser(advertiser) }
    }

    private mutating func stopScan(_ device: Int) {
        guard bluetooth.controllers[device].scan != nil else { return }
        bluetooth.controllers[device].scan = nil
        emit(.airScanning, on: device, fields: [Field("on", false)])
    }

    // MARK: Connecting

    private mutating func connect(
        _ device: Int, to peer: Address, _ parameters: ConnectionParameters
    ) {
        guard let index = devices.firstIndex(where: { $0.address == peer }), index != device else {
            return
        }
        bluetooth.controllers[device].attempts.removeAll { $0.peer == index }
        bluetooth.controllers[device].attempts.append(
            Controller.Attempt(peer: index, parameters: parameters))
        emit(.airConnecting, on: device, fields: [Field("peer", .text(devices[index].name))])
        wakeAdvertiser(index)
    }

    private mutating func cancelConnect(_ device: Int, to peer: Address) throws(Breach) {
        guard
            let attempt = bluetooth.controllers[device].attempts.first(where: {
                devices[$0.peer].address == peer
            })
        else { return }
        bluetooth.controllers[device].attempts.removeAll { $0.peer == attempt.peer }
        let channel =
            bluetooth.controllers[device].attemptChannel
            ?? agenda.open("attempts of \(devices[device].name)", device: device)
        bluetooth.controllers[device].attemptChannel = channel
        guard agenda.count(in: channel) < Controller.mostCancelled else {
            throw Breach(
                at: 0,
                expected: "at most \(Controller.mostCancelled) cancelled attempts to connect of "
                    + "which the device was not told yet", found: "one more")
        }
        deliver(
            .bluetooth(
                .connectionComplete(
                    status: 0x02, handle: 0, isCentral: true, peer: peer, attempt.parameters)),
            to: device, in: channel, earliest: now, latest: now + topology.air.hostDelay)
    }

    /// Who of those that wait for this advertiser gets it.
    private mutating func initiator(for device: Int, ordinal: UInt64) -> Int? {
        var waiting: [Int] = []
        for listener in devices.indices {
            guard bluetooth.controllers[listener].attempts.contains(where: { $0.peer == device }),
                reaches(from: listener, to: device),
                isReceived(from: device, by: listener, ordinal: ordinal)
            else { continue }
            waiting.append(listener)
        }
        guard waiting.count > 1 else { return waiting.first }
        let owner = Decisions.Owner(String(joining: "advertising ", devices[device].name))
        return waiting[Int(decisions.below(UInt64(waiting.count), owner, ordinal, .initiator))]
    }

    private mutating func establish(central: Int, peripheral: Int) {
        guard
            let attempt = bluetooth.controllers[central].attempts.first(where: {
                $0.peer == peripheral
            })
        else { return }
        bluetooth.controllers[central].attempts.removeAll { $0.peer == peripheral }
        stopAdvertising(peripheral)
        open(central: central, peripheral: peripheral, attempt.parameters)
    }
}
