internal import DeviceLink
internal import Monitors
internal import Traces

extension Scene {
    /// What a kind of event changes in the scene; found once for each kind.
    enum Change: Sendable {
        case runStarted, closing, faultBegan, faultsStopped
        case started, died, frozen, thawed
        case appLaunched, appTerminated, foreground, background, bluetoothPower
        case advertising, scanning, connected, disconnected
        case linkUp, linkDown, encrypted, subscribed
        case attSent, attReceived
        case configurationReceived, configureReceived
        case niCreated, niRun, generated
        case radioStarting, radioStarted, radioOff
    }

    /// What events of this kind change; nil where they change nothing.
    static func change(by kind: EventKind) -> Change? {
        if kind.family == "fault" { return .faultBegan }
        return changes[kind]
    }

    private static let changes: [EventKind: Change] = [
        .runStarted: .runStarted, .scriptEnded: .closing, .faultsStopped: .faultsStopped,
        .deviceStarted: .started, .deviceDied: .died, .deviceFrozen: .frozen,
        .deviceThawed: .thawed,
        .appLaunched: .appLaunched, .appTerminated: .appTerminated,
        .appForeground: .foreground, .appBackground: .background,
        .systemBluetooth: .bluetoothPower,
        .airAdvertising: .advertising, .airScanning: .scanning,
        .airConnected: .connected, .airDisconnected: .disconnected,
        .linkUp: .linkUp, .linkDown: .linkDown, .linkEncrypted: .encrypted,
        .gattSubscribed: .subscribed, .attSent: .attSent, .attReceived: .attReceived,
        .msgAccessoryConfigurationDataReceived: .configurationReceived,
        .msgConfigureAndStartReceived: .configureReceived,
        .niCreated: .niCreated, .niRun: .niRun,
        .niDidGenerateShareableConfigurationData: .generated,
        .uwbStarting: .radioStarting, .uwbStarted: .radioStarted, .uwbRefused: .radioOff,
        .uwbStopped: .radioOff,
    ]

    /// Takes in an event.
    mutating func take(_ event: TraceEvent, _ change: Change) {
        if !leaving.isEmpty { forgetLeaving() }
        switch change {
        case .runStarted: tellsStarts = true
        case .closing: isClosing = true
        case .faultBegan: if event["ended"] == nil { isUnderFault = true }
        case .faultsStopped: isUnderFault = false
        case .started, .died, .frozen, .thawed, .appLaunched, .appTerminated, .foreground,
            .background, .bluetoothPower, .advertising, .scanning:
            changeDevice(event, change)
        case .connected, .disconnected, .linkUp, .linkDown, .encrypted, .subscribed:
            changeLink(event, change)
        case .attSent, .attReceived: changeRequests(event, change)
        case .configurationReceived, .configureReceived, .niCreated, .niRun, .generated:
            changeOwners(event, change)
        case .radioStarting, .radioStarted, .radioOff: changeRadio(event, change)
        }
    }

    private mutating func changeDevice(_ event: TraceEvent, _ change: Change) {
        var device = self.device(event.device)
        switch change {
        case .started: device = Device(starts: device.starts + 1)
        case .died:
            device = Device(isDead: true, starts: device.starts)
            forgetLinks(of: event.device)
        case .frozen: device.isFrozen = true
        case .thawed: device.isFrozen = false
        case .appLaunched: device.isAppGone = false
        case .appTerminated: device.isAppGone = true
        case .foreground: device.isInBackground = false
        case .background: device.isInBackground = true
        case .bluetoothPower: device.isBluetoothOff = event.text("power") == "off"
        case .advertising: device.isAdvertising = event["on"] == .flag(true)
        case .scanning: device.isScanning = event["on"] == .flag(true)
        default: preconditionFailure("\(change) is not about a device")
        }
        devices[event.device] = device
    }

    /// A dead host is never told that its links are gone.
    private mutating func forgetLinks(of device: String) {
        for number in links.keys.sorted() {
            if links[number]?.central == device { links[number]?.isUpAtCentral = false }
            if links[number]?.peripheral == device { links[number]?.isUpAtPeripheral = false }
            if links[number]?.isKnown == false { leaving.append(number) }
        }
    }

    private mutating func forgetLeaving() {
        for number in leaving where links[number]?.isKnown == false {
            links.removeValue(forKey: number)
        }
        leaving.removeAll(keepingCapacity: true)
    }

    private mutating func changeLink(_ event: TraceEvent, _ change: Change) {
        guard let number = event.link else { return }
        var link = links[number] ?? Link()
        switch change {
        case .connected:
            (link.central, link.peripheral) = (event.device, event.peer ?? "")
            link.isOnAir = true
        case .disconnected: link.isOnAir = false
        case .linkUp: setUp(event, in: &link)
        case .linkDown: setDown(event, in: &link)
        case .encrypted:
            if event.number("status") == 0, bondedSubscriptions[pair(link)] == true {
                link.isSubscribed = true
            }
            if event.number("status") == 0 { link.isEncrypted = true }
        case .subscribed: subscribe(event, in: &link)
        default: preconditionFailure("\(change) is not about a link")
        }
        links[number] = link
        if !link.isKnown { leaving.append(number) }
    }

    private func setUp(_ event: TraceEvent, in link: inout Link) {
        if event.text("role") == "central" {
            (link.central, link.peripheral) = (event.device, event.peer ?? "")
            link.isUpAtCentral = true
        } else {
            (link.central, link.peripheral) = (event.peer ?? "", event.device)
            link.isUpAtPeripheral = true
        }
    }

    private func setDown(_ event: TraceEvent, in link: inout Link) {
        if event.device == link.central { link.isUpAtCentral = false }
        if event.device == link.peripheral { link.isUpAtPeripheral = false }
    }

    private mutating func subscribe(_ event: TraceEvent, in link: inout Link) {
        guard event.text("characteristic") == "tx" else { return }
        link.isSubscribed = event["on"] == .flag(true)
        if link.isEncrypted { bondedSubscriptions[pair(link)] = link.isSubscribed }
    }

    private func pair(_ link: Link) -> String { "\(link.central) \(link.peripheral)" }

    /// Where the link stands: this is done for nearly half of all events.
    private mutating func changeRequests(_ event: TraceEvent, _ change: Change) {
        guard let number = event.link, let place = links.place(of: number),
            event.device == links[at: place].central, let pdu = event.text("pdu")
        else { return }
        if change == .attSent, pdu.hasSuffix("-request") {
            links[at: place].requests.sent(event)
        } else if change == .attReceived, pdu.hasSuffix("-response") {
            links[at: place].requests.received(event)
        }
    }

    private mutating func changeOwners(_ event: TraceEvent, _ change: Change) {
        switch change {
        case .configurationReceived:
            guard let bytes = event.bytes("configuration"), let peer = event.peer else { return }
            let key = ConfigurationKey(phone: event.device, bytes: bytes)
            let known = configurations[key] ?? []
            if !known.contains(peer) { configurations.set(key, known + [peer]) }
        case .configureReceived:
            guard let shareable = event.bytes("shareable"), let link = event.link,
                let id = Self.sessionID(in: shareable)
            else { return }
            configuredLinks.set(RangingKey(device: event.device, sessionID: id), link)
        case .niCreated, .niRun:
            guard let session = event.niSession else { return }
            let sources = sources(of: event.bytes("configuration") ?? [], at: event.device)
            peers[session] = event.peer ?? sources.first ?? peers[session]
        case .generated:
            guard let bytes = event.bytes("shareable"), let session = event.niSession else {
                return
            }
            generated.set(bytes, session)
        default: preconditionFailure("\(change) is not about data")
        }
    }

    /// The UWB session id in Apple's shareable configuration data, where it has the public layout.
    static func sessionID(in shareable: [UInt8]) -> Int64? {
        guard shareable.count >= 11 else { return nil }
        return shareable[7..<11].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    private mutating func changeRadio(_ event: TraceEvent, _ change: Change) {
        guard let key = event.radio else { return }
        endedRadio = nil
        switch change {
        case .radioStarting:
            let id = event.number("session-id") ?? 0
            radios[key] = Radio(
                sessionID: id, address: event.number("address") ?? 0,
                peerAddress: event.number("peer-address") ?? 0,
                link: configuredLinks[RangingKey(device: event.device, sessionID: id)],
                cause: Citation(event))
        case .radioStarted: radios[key]?.isOn = true
        case .radioOff: endedRadio = radios.removeValue(forKey: key)
        default: preconditionFailure("\(change) is not about a radio")
        }
    }
}
