package import DeviceKit

/// A Bluetooth and UWB air for a few devices: advertisements every 100 ms, packets after 15 ms.
package final class Air {
    package var addresses: [Address] = []
    /// Measured distance in millimetres; nil is out of reach.
    package var distance: UInt32? = 2_500
    /// The status with which radios start.
    package var radioStatus: UInt8 = 0
    /// Whether radios that are on make rounds; else the test makes them.
    package var makesRounds = true
    /// Whether links can be made and advertisements heard.
    package var isQuiet = false
    /// Every frame that was sent: who, and the bytes.
    package private(set) var frames: [(device: Int, bytes: [UInt8])] = []

    private unowned let chamber: Chamber
    private var advertising: [Int: (data: [UInt8], scanResponse: [UInt8])] = [:]
    private var scanning: [Int: UInt64] = [:]
    private var heard: [String: VirtualTime] = [:]
    private var attempts: [(device: Int, peer: Address, ConnectionParameters)] = []
    private var links: [UInt16: (central: Int, peripheral: Int, key: [UInt8])] = [:]
    private var nextHandle: UInt16 = 1
    private var radios: [(device: Int, handle: UInt32, parameters: UWBParameters)] = []
    private var isTicking = false

    package init(of chamber: Chamber) { self.chamber = chamber }

    package func perform(_ command: BluetoothCommand, of device: Int) {
        switch command {
        case .advertise(_, let data, let scanResponse):
            advertising[device] = (data, scanResponse)
            tick()
        case .stopAdvertising: advertising[device] = nil
        case .scan(_, let period):
            scanning[device] = UInt64(period) * 1_280_000_000
            heard = heard.filter { !$0.key.hasPrefix("\(device) ") }
            tick()
        case .stopScan: scanning[device] = nil
        case .connect(let peer, let parameters):
            attempts.append((device, peer, parameters))
            tick()
        case .cancelConnect(let peer):
            attempts.removeAll { $0.device == device && $0.peer == peer }
            let event = BluetoothEvent.connectionComplete(
                status: 0x02, handle: 0, isCentral: true, peer: peer,
                ConnectionParameters(interval: 24, latency: 0, timeout: 72))
            chamber.post(.bluetooth(event), to: device)
        case .acl(let handle, let bytes): send(bytes, on: handle, from: device)
        case .disconnect(let handle, let reason): end(handle, by: device, reason)
        case .encrypt(let handle, let key, let random, let diversifier):
            guard let link = links[handle] else { return }
            links[handle]?.key = key
            chamber.post(
                .bluetooth(
                    .longTermKeyRequest(handle: handle, random: random, diversifier: diversifier)),
                to: link.peripheral)
        case .longTermKey(let handle, let key): encrypt(handle, key)
        case .updateConnection, .setAddress: break
        }
    }

    private func send(_ bytes: [UInt8], on handle: UInt16, from device: Int) {
        guard let link = links[handle] else { return }
        frames.append((device, bytes))
        let peer = device == link.central ? link.peripheral : link.central
        chamber.post(.bluetooth(.acl(handle: handle, bytes)), to: peer, after: .milliseconds(15))
        chamber.post(
            .bluetooth(.completedPackets(handle: handle, count: 1)), to: device,
            after: .milliseconds(16))
    }

    private func end(_ handle: UInt16, by device: Int, _ reason: UInt8) {
        guard let link = links.removeValue(forKey: handle) else { return }
        let peer = device == link.central ? link.peripheral : link.central
        let mine = BluetoothEvent.disconnectionComplete(handle: handle, reason: 0x16)
        let theirs = BluetoothEvent.disconnectionComplete(handle: handle, reason: reason)
        chamber.post(.bluetooth(mine), to: device, after: .milliseconds(30))
        chamber.post(.bluetooth(theirs), to: peer, after: .milliseconds(30))
    }

    private func encrypt(_ handle: UInt16, _ key: [UInt8]?) {
        guard let link = links[handle] else { return }
        let status: UInt8 = link.key == key ? 0 : 0x06
        let event = BluetoothEvent.encryptionChange(
            status: status, handle: handle, isEncrypted: status == 0)
        for device in [link.central, link.peripheral] {
            chamber.post(.bluetooth(event), to: device)
        }
    }

    /// Ends all links, with a reason that both sides see.
    package func cut(reason: UInt8 = 0x08) {
        for handle in links.keys.sorted() {
            guard let link = links.removeValue(forKey: handle) else { continue }
            let event = BluetoothEvent.disconnectionComplete(handle: handle, reason: reason)
            for device in [link.central, link.peripheral] {
                chamber.post(.bluetooth(event), to: device)
            }
        }
    }

    // MARK: Advertising

    private func tick() {
        guard !isTicking else { return }
        isTicking = true
        chamber.later(.milliseconds(100)) { [unowned self] in
            isTicking = false
            advertise()
            if !advertising.isEmpty && !(scanning.isEmpty && attempts.isEmpty) { tick() }
        }
    }

    private func advertise() {
        guard !isQuiet else { return }
        for device in advertising.keys.sorted() {
            for scanner in scanning.keys.sorted() { report(device, to: scanner) }
            connect(to: device)
        }
    }

    private func report(_ device: Int, to scanner: Int) {
        guard let payload = advertising[device], let period = scanning[scanner] else { return }
        let key = "\(scanner) \(device)"
        if let last = heard[key], chamber.now < last + period { return }
        heard[key] = chamber.now
        for (isScanResponse, data) in [(false, payload.data), (true, payload.scanResponse)]
        where !isScanResponse || !data.isEmpty {
            let event = BluetoothEvent.advertisingReport(
                peer: addresses[device], isScanResponse: isScanResponse, isConnectable: true,
                rssi: -50, data: data)
            chamber.post(.bluetooth(event), to: scanner)
        }
    }

    private func connect(to device: Int) {
        guard let index = attempts.firstIndex(where: { $0.peer == addresses[device] }) else {
            return
        }
        let (central, _, parameters) = attempts.remove(at: index)
        advertising[device] = nil
        let handle = nextHandle
        nextHandle += 1
        links[handle] = (central, device, [])
        for (host, peer) in [(central, device), (device, central)] {
            let event = BluetoothEvent.connectionComplete(
                status: 0, handle: handle, isCentral: host == central, peer: addresses[peer],
                parameters)
            chamber.post(.bluetooth(event), to: host)
        }
    }

    // MARK: UWB

    package func perform(_ command: UWBCommand, of device: Int) {
        switch command {
        case .start(let handle, let parameters):
            let event = UWBEvent.started(session: handle, status: radioStatus)
            chamber.post(.uwb(event), to: device, after: .milliseconds(2))
            guard radioStatus == 0, makesRounds else { return }
            radios.append((device, handle, parameters))
            range(device, handle)
        case .stop(let handle):
            radios.removeAll { $0.device == device && $0.handle == handle }
        // The rounds of a chamber are as often as their interval says.
        case .stride: break
        case .end(let handle):
            tellEnd(of: handle, on: device)
            radios.removeAll { $0.device == device && $0.handle == handle }
        }
    }

    /// The radio that ranges with this one hears, and its host with it, that it is over.
    private func tellEnd(of handle: UInt32, on device: Int) {
        guard let mine = radios.first(where: { $0.device == device && $0.handle == handle }),
            let peer = radios.first(where: {
                $0.device != device && $0.parameters.address == mine.parameters.peer
                    && $0.parameters.peer == mine.parameters.address
            })
        else { return }
        chamber.post(
            .command(
                name: "uwb-ended", arguments: [Pair("session", String(peer.handle))]),
            to: peer.device, after: .milliseconds(20))
    }

    /// Whether a device's radio is on.
    package func isRanging(_ device: Int) -> Bool { radios.contains { $0.device == device } }

    private func range(_ device: Int, _ handle: UInt32) {
        guard let radio = radios.first(where: { $0.device == device && $0.handle == handle }) else {
            return
        }
        chamber.later(.milliseconds(UInt64(radio.parameters.interval))) { [unowned self] in
            guard radios.contains(where: { $0.device == device && $0.handle == handle }) else {
                return
            }
            chamber.turn(device, .uwb(.round(session: handle, measurement(of: radio.parameters))))
            range(device, handle)
        }
    }

    private func measurement(of mine: UWBParameters) -> UWBMeasurement? {
        let isHeard = radios.contains {
            $0.parameters.sessionID == mine.sessionID && $0.parameters.address == mine.peer
                && $0.parameters.peer == mine.address && $0.parameters.stsIV == mine.stsIV
                && $0.parameters.isInitiator != mine.isInitiator
        }
        guard isHeard, let distance else { return nil }
        return UWBMeasurement(distance: distance, azimuth: 0, elevation: 0, isLineOfSight: true)
    }
}
