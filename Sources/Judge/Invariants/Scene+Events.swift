import DeviceLink
import Monitors
import Traces

extension Scene {
    /// What a kind of event changes in the scene; found once for each kind.
    enum Change: Sendable {
        case runStarted, closing, faultBegan, faultsStopped
        case device(DeviceChange)
        case link(LinkChange)
        case requests(isSent: Bool)
        case owners(OwnerChange)
        case radio(RadioChange)
        case manner(MannerChange)
    }

    enum DeviceChange: Sendable {
        case started, died, frozen, thawed
        case appLaunched, appTerminated, foreground, background, bluetoothPower
        case advertising, scanning
    }

    enum LinkChange: Sendable { case connected, disconnected, up, down, encrypted, subscribed }

    /// What may say whose data and sessions are.
    enum OwnerChange: Sendable { case configurationReceived, configureReceived, session, generated }

    /// What shows how an accessory speaks.
    enum MannerChange: Sendable { case configuration, acknowledgement }

    enum RadioChange: Sendable { case starting, started, off }

    /// What events of this kind change; nil where they change nothing.
    static func change(by kind: EventKind) -> Change? {
        switch kind {
        case .runStarted: .runStarted
        case .scriptEnded: .closing
        case .faultsStopped: .faultsStopped
        case .deviceStarted: .device(.started)
        case .deviceDied: .device(.died)
        case .deviceFrozen: .device(.frozen)
        case .deviceThawed: .device(.thawed)
        case .appLaunched: .device(.appLaunched)
        case .appTerminated: .device(.appTerminated)
        case .appForeground: .device(.foreground)
        case .appBackground: .device(.background)
        case .systemBluetooth: .device(.bluetoothPower)
        case .airAdvertising: .device(.advertising)
        case .airScanning: .device(.scanning)
        case .airConnected: .link(.connected)
        case .airDisconnected: .link(.disconnected)
        case .linkUp: .link(.up)
        case .linkDown: .link(.down)
        case .linkEncrypted: .link(.encrypted)
        case .gattSubscribed: .link(.subscribed)
        case .attSent: .requests(isSent: true)
        case .attReceived: .requests(isSent: false)
        case .msgAccessoryConfigurationDataReceived: .owners(.configurationReceived)
        case .msgConfigureAndStartReceived: .owners(.configureReceived)
        case .msgAccessoryConfigurationDataSent, .msgMalformedSent: .manner(.configuration)
        case .msgAccessoryUwbDidStartSent, .msgAccessoryUwbDidStopSent: .manner(.acknowledgement)
        case .niCreated, .niRun: .owners(.session)
        case .niDidGenerateShareableConfigurationData: .owners(.generated)
        case .uwbStarting: .radio(.starting)
        case .uwbStarted: .radio(.started)
        case .uwbRefused, .uwbStopped: .radio(.off)
        default: kind.family == "fault" ? .faultBegan : nil
        }
    }

    mutating func take(_ event: TraceEvent, as change: Change) {
        if !leaving.isEmpty { forgetLeaving() }
        switch change {
        case .runStarted: tellsStarts = true
        case .closing: isClosing = true
        case .faultBegan: if event["ended"] == nil { isUnderFault = true }
        case .faultsStopped: isUnderFault = false
        case .device(let change): changeDevice(event, as: change)
        case .link(let change): changeLink(event, as: change)
        case .requests(let isSent): changeRequests(event, isSent: isSent)
        case .owners(let change): changeOwners(event, as: change)
        case .radio(let change): changeRadio(event, as: change)
        case .manner(let change): changeManner(event, as: change)
        }
    }

    private mutating func changeDevice(_ event: TraceEvent, as change: DeviceChange) {
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

    private mutating func changeLink(_ event: TraceEvent, as change: LinkChange) {
        guard let number = event.link else { return }
        var link = links[number] ?? Link()
        switch change {
        case .connected:
            (link.central, link.peripheral) = (event.device, event.peer ?? "")
            link.isOnAir = true
        case .disconnected: link.isOnAir = false
        case .up: setUp(event, in: &link)
        case .down: setDown(event, in: &link)
        case .encrypted:
            if event.number("status") == 0, bondedSubscriptions[pair(link)] == true {
                link.isSubscribed = true
            }
            if event.number("status") == 0 { link.isEncrypted = true }
        case .subscribed: subscribe(event, in: &link)
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
        // A connection on the network carries messages both ways from the beginning.
        if event.text("transport") == "network" { link.isSubscribed = true }
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
    private mutating func changeRequests(_ event: TraceEvent, isSent: Bool) {
        guard let number = event.link, let place = links.place(of: number),
            event.device == links[at: place].central, let pdu = event.text("pdu")
        else { return }
        if isSent, pdu.hasSuffix("-request") {
            links[at: place].requests.sent(event)
        } else if !isSent, pdu.hasSuffix("-response") {
            links[at: place].requests.received(event)
        }
    }

    private mutating func changeOwners(_ event: TraceEvent, as change: OwnerChange) {
        switch change {
        case .configurationReceived:
            guard let bytes = event.bytes("configuration"), let peer = event.peer else { return }
            let key = ConfigurationKey(phone: event.device, bytes: bytes)
            let known = configurations[key] ?? []
            if !known.contains(peer) { configurations.set(key, to: known + [peer]) }
        case .configureReceived:
            guard let shareable = event.bytes("shareable"), let link = event.link,
                let id = Self.sessionID(in: shareable)
            else { return }
            configuredLinks.set(RangingKey(device: event.device, sessionID: id), to: link)
        case .session:
            guard let session = event.niSession else { return }
            let sources = sources(of: event.bytes("configuration") ?? [], at: event.device)
            peers[session] = event.peer ?? sources.first ?? peers[session]
        case .generated:
            guard let bytes = event.bytes("shareable"), let session = event.niSession else {
                return
            }
            generated.set(bytes, to: session)
        }
    }

    /// The UWB session id in Apple's shareable configuration data, where it has the public layout.
    static func sessionID(in shareable: [UInt8]) -> Int64? {
        guard shareable.count >= 11 else { return nil }
        return shareable[7..<11].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    private mutating func changeManner(_ event: TraceEvent, as change: MannerChange) {
        switch change {
        case .configuration:
            guard event["unasked"] == .flag(true), !unasked.contains(event.device) else { return }
            unasked.append(event.device)
        case .acknowledgement:
            if !acknowledging.contains(event.device) { acknowledging.append(event.device) }
        }
    }

    private mutating func changeRadio(_ event: TraceEvent, as change: RadioChange) {
        guard let key = event.radio else { return }
        endedRadio = nil
        switch change {
        case .starting:
            let id = event.number("session-id") ?? 0
            radios[key] = Radio(
                sessionID: id, address: event.number("address") ?? 0,
                peerAddress: event.number("peer-address") ?? 0, parameters: .init(event),
                link: configuredLinks[RangingKey(device: event.device, sessionID: id)],
                cause: Citation(event))
        case .started: radios[key]?.isOn = true
        case .off: endedRadio = radios.removeValue(forKey: key)
        }
    }
}
