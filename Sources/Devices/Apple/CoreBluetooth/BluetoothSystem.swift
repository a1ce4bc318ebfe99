import Bluetooth
package import BluetoothHost
package import DeviceKit

package import class BluetoothHost.Host

/// Bluetooth on one device, above its host stack: what the apps' managers share.
package final class BluetoothSystem {
    /// The host stack; nil once the device is gone.
    private(set) var host: Host?
    /// Whether Bluetooth is switched on.
    package private(set) var isPoweredOn = true
    /// Whether the app is in the foreground: duplicates are reported only there.
    package var isForeground = true {
        didSet {
            updateScan()
            peripheral.advertise()
        }
    }
    /// The hidden service that the system looks at as soon as there is a link; nil for none.
    package var inspected: HiddenService?
    /// The hidden service that apps are shown all the same, which is a defect; nil for none.
    package var shown: HiddenService?

    /// What apps may do with Bluetooth.
    let access: BluetoothAccess
    let timing: ConnectionParameters
    let follows: FollowedPeers
    let caching: ServiceCaching
    let pairingUser: PairingUser
    private let phone: String
    private(set) var devices: [RemoteDevice] = []
    private(set) lazy var managers = Managers<CBCentralManager, CBCentralManager.Kept>(of: self)
    private(set) lazy var peripheral = PeripheralRole(of: self)
    /// Called when a link to a peripheral has ended.
    package var linkEnded: (Address) -> Void = { _ in }
    /// Starts an app that is needed, in the background, for central and peripheral managers of these identifiers.
    package var relaunch: ((_ centrals: [String], _ peripherals: [String]) -> Void)?
    var isWaking = false
    /// Whether the system's Bluetooth restarts.
    private(set) var isResetting = false
    private var restarted: () -> Void = {}
    private var nextManager = 0
    private var gone: [Int] = []
    private var scanPeriod: UInt16?
    private var received: [(sender: Address, value: [UInt8])] = []

    /// Bluetooth of one incarnation, on a host stack whose delegate it becomes; `stored` is what
    /// earlier incarnations kept.
    ///
    /// `current` finds it on the host's context.
    package init(
        on host: Host, timing: ConnectionParameters, access: BluetoothAccess = .allowed,
        follows: FollowedPeers = .appleDevices, caching: ServiceCaching = .none,
        pairing: PairingUser = PairingUser(), stored: [StoredPair]
    ) {
        pairingUser = pairing
        host.pairing = pairing.policy
        self.host = host
        self.follows = follows
        self.caching = caching
        self.access = access
        self.timing = timing
        phone = host.context.name
        for pair in stored where pair.key.hasPrefix(Self.prefix) {
            guard let address = Address(stored: pair.value) else { continue }
            let known = UUID(uuidString: String(pair.key.dropFirst(Self.prefix.count)))
            let device = RemoteDevice(address, seenBy: phone, known: known)
            device.isKept = true
            device.restoreCache(from: stored)
            devices.append(device)
        }
        host.server.addSystemServices(named: host.context.name)
        host.delegate = self
        host.context.attachments[BluetoothSystem.self] = self
    }

    /// The system of the device whose turn it is.
    static var current: BluetoothSystem {
        Context.attached(rule: "CBCentralManager works only on a simulated Apple device")
    }

    /// The device is gone: lets go of the host stack.
    package func shutDown() { host = nil }

    /// The device with this address; made where there is none.
    func device(_ address: Address) -> RemoteDevice {
        if let known = devices.first(where: { $0.address == address || $0.identity == address }) {
            return known
        }
        if address.isResolvable, let identity = host?.identity(of: address), identity != address,
            let known = devices.first(where: { $0.identity == identity })
        {
            return known
        }
        let device = RemoteDevice(address, seenBy: phone)
        devices.append(device)
        return device
    }

    /// Remembers a device beyond the phone's death, so that apps can retrieve it.
    func keep(_ device: RemoteDevice) {
        guard !device.isKept else { return }
        device.isKept = true
        let key = Self.prefix + device.identifier.uuidString
        Context.current.answer(.store(key: key, value: device.address.stored))
    }

    /// A pairing has told which address a device really has.
    func identify(_ device: RemoteDevice, as identity: Address) {
        guard device.identity != identity else { return }
        device.identity = identity
        guard device.isKept else { return }
        let key = Self.prefix + device.identifier.uuidString
        Context.current.answer(.store(key: key, value: identity.stored))
    }

    private static let prefix = "peripheral/"

    // MARK: Managers

    func takeOrdinal() -> Int {
        nextManager += 1
        return nextManager
    }

    /// The app has let go of a peripheral manager; its services end at the end of the turn.
    func release(_ ordinal: Int, _ services: [PublishedService]) {
        guard !peripheral.managers.keeps(ordinal) else { return }
        host?.context.atEndOfTurn { [weak self] in self?.peripheral.release(ordinal, services) }
    }

    /// The app has let go of a manager; its links end at the end of the turn.
    func release(_ ordinal: Int) {
        guard !managers.keeps(ordinal) else { return }
        gone.append(ordinal)
        guard gone.count == 1 else { return }
        host?.context.atEndOfTurn { [weak self] in self?.endReleased() }
    }

    /// The app has let go of a peripheral; unless it gets another object for the device in this turn, the link ends.
    func letGo(of device: RemoteDevice, by manager: CBCentralManager) {
        guard device.claims.contains(manager.ordinal) else { return }
        host?.context.atEndOfTurn { [weak self, weak manager] in
            guard let self, let manager, device.claims.contains(manager.ordinal),
                manager.known(device) == nil
            else { return }
            host?.context.log(
                "API MISUSE: cancelling the connection to an unused peripheral; did you forget to keep a reference?"
            )
            unclaim(device, for: manager.ordinal)
        }
    }

    private func endReleased() {
        let ordinals = gone.sorted()
        gone = []
        managers.remove(ordinals)
        for device in devices {
            for ordinal in ordinals { unclaim(device, for: ordinal) }
        }
        updateScan()
    }

    package func terminateApp() {
        managers.appHasEnded()
        managers.preserved = []
        peripheral.terminateApp()
        for device in devices where !device.claims.isEmpty {
            device.claims = []
            dropLink(to: device)
        }
        updateScan()
    }

    /// Tells all managers that want a device; one whose app the system has ended is told when it is there again.
    func forEachManager(
        of device: RemoteDevice, _ body: @escaping (CBCentralManager) -> Void
    ) {
        for ordinal in device.claims { managers.tell(ordinal, body) }
    }

    // MARK: Power

    /// Bluetooth is switched.
    ///
    /// Off ends scanning and all links; pending connections are forgotten.
    package func setPower(_ isOn: Bool) {
        guard isOn != isPoweredOn else { return }
        isPoweredOn = isOn
        if !isOn { forgetPreserved() }
        for manager in managers.living { manager.stateChanged() }
        peripheral.stateChanged()
        guard !isOn else { return }
        for device in devices where device.link == nil { device.claims = [] }
        scanPeriod = nil
        host?.powerOff()
    }

    /// The system's Bluetooth restarts: all that managers had is gone, and nobody is told of its links.
    ///
    /// `completion` is called where it works again.
    package func reset(completion: @escaping () -> Void = {}) {
        guard isWorking else { return }
        restarted = completion
        forgetPreserved()
        isResetting = true
        for manager in managers.living { manager.stateChanged() }
        peripheral.stateChanged()
        for device in devices {
            device.claims = []
            device.link?.isEnding = true
        }
        scanPeriod = nil
        host?.powerOff()
        host?.context.setTimer(Self.resetTimer, after: Self.resetTime)
    }

    /// Takes a timer of Bluetooth's; false where it is none.
    package func handle(_ event: DeviceEvent) -> Bool {
        guard event == .timer(name: Self.resetTimer) else { return answerPairing(event) }
        guard isResetting else { return true }
        isResetting = false
        if isPoweredOn { restarted() }
        for manager in managers.living { manager.stateChanged() }
        peripheral.stateChanged()
        return true
    }

    private static let resetTimer = "bluetooth/reset"
    /// How long a restart takes, for which Apple has "imminent".
    private static let resetTime: Nanoseconds = .seconds(1)

    /// Whether links can be made.
    var isWorking: Bool { isPoweredOn && !isResetting }

    // MARK: Scanning

    /// Scans as all managers together want it; `restart` reports every peripheral anew.
    ///
    /// Where duplicates are wanted an advertiser is reported every 1.28 s, not each time it is heard:
    /// at 20 ms an advertiser, that would be most of what a run does.
    func updateScan(restart: Bool = false) {
        let scans =
            managers.living.compactMap(\.scan) + managers.preserved.compactMap(\.kept.scan)
        guard isWorking, !scans.isEmpty || awaitsPrivateAddress else {
            scanPeriod = nil
            host?.stopScanning()
            return
        }
        let wantsDuplicates = isForeground && scans.contains { $0.allowsDuplicates }
        let period: UInt16 = wantsDuplicates ? 1 : .max
        guard restart || period != scanPeriod else { return }
        scanPeriod = period
        host?.scan(isActive: true, period: period)
    }

    /// Whether somebody waits for a device whose address may be another one by now, which is resolved when it is heard.
    private var awaitsPrivateAddress: Bool {
        devices.contains { device in
            device.address.isResolvable && !device.claims.isEmpty && device.link == nil
                && host?.identity(of: device.address) != device.address
        }
    }

    // MARK: For Nearby Interaction

    /// Keeps what a peer notified, so that its configuration data can be traced back to it.
    func remember(_ value: [UInt8], from sender: Address) {
        guard value.count > Self.shortestConfiguration else { return }
        if received.count == Self.remembered { received.removeFirst() }
        received.append((sender, value))
    }

    /// Who notified a value that ends in these bytes; the latest where there are several.
    package func sender(of bytes: [UInt8]) -> Address? {
        received.last { $0.value.suffix(bytes.count).elementsEqual(bytes) }?.sender
    }

    /// The device with an identifier, where it is known.
    package func address(of identifier: UUID) -> Address? {
        devices.first { $0.identifier == identifier }?.address
    }

    /// The device that advertised a name, where one did; the latest where several did.
    package func address(named name: String) -> Address? {
        devices.last { $0.advertised.localName == name }?.address
    }

    /// Whether there is an encrypted link to a bonded device.
    package func isPairedAndConnected(_ address: Address) -> Bool {
        devices.first { $0.address == address || $0.identity == address }?.link?.isEncrypted == true
    }

    private static let shortestConfiguration = 16
    private static let remembered = 32
}

extension Address {
    /// Reads what `stored` wrote; nil where it is no address.
    fileprivate init?(stored bytes: [UInt8]) {
        guard bytes.count == 7 else { return nil }
        self.init(UInt64(littleEndian: bytes.dropFirst()), isRandom: bytes[0] == 1)
    }

    /// A byte that says whether it is random, then six, least significant first.
    fileprivate var stored: [UInt8] { [isRandom ? 1 : 0] + octets }
}
