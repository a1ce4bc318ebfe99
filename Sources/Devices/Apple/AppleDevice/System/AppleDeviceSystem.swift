import ARKit
import AppleFoundation
import BluetoothHost
import CoreBluetooth
import DeviceKit
import MultipeerConnectivity
import NearbyInteraction
import Vocabulary
import WatchConnectivity

import class BluetoothHost.Host

/// The system of an Apple device: radios, permission, foreground, and the app that it launches and ends.
final class AppleDeviceSystem {
    private let context: Context
    private let launchesApp: Bool
    private let knowsMultiple: Bool
    /// How long the app goes on in the background; nil for as long as it wants.
    private let backgroundTime: Nanoseconds?
    private let runtime: AppRuntime
    private let host: Host
    private let bluetooth: BluetoothSystem
    private let network: NetworkHost
    private let multipeer: MultipeerSystem
    private let watch: WatchSystem
    private let camera: ARKitSystem
    private let nearbyInteraction: NearbyInteractionSystem
    private let surroundings: SystemSurroundings
    private let makeApp: (RestoredManagers) -> any SimulatedApp
    private var app: (any SimulatedApp)?
    /// Whether an app has run already, and left its globals behind.
    private var hasRun = false
    /// Whether the user has the app in front, locked screen or not.
    private var isInFront = true
    private var isLocked = false

    init(
        _ reset: Reset, settings: SystemSettings, in context: Context,
        makeApp: @escaping (RestoredManagers) -> any SimulatedApp
    ) {
        self.context = context
        self.makeApp = makeApp
        launchesApp = settings.launchesApp
        backgroundTime = settings.backgroundTime
        runtime = AppRuntime(stored: reset.stored, in: context)
        runtime.deviceKind = settings.deviceKind
        runtime.deviceName = settings.deviceName
        network = NetworkHost(in: context)
        multipeer = MultipeerSystem(
            dropsInBackground: settings.multipeerInBackground == .dropped,
            isAllowed: settings.usesLocalNetwork, in: context)
        watch = WatchSystem(named: reset.name, companion: settings.companion, in: context)
        camera = ARKitSystem(settings.camera, in: context)
        host = Host(
            in: context, at: reset.address, stored: reset.stored,
            limits: HostLimits(mtu: settings.mtu))
        bluetooth = BluetoothSystem(
            on: host, timing: settings.timing, access: settings.bluetoothAccess,
            follows: settings.follows, caching: settings.caching, pairing: settings.pairing,
            stored: reset.stored)
        nearbyInteraction = NearbyInteractionSystem(
            settings.nearbyInteraction, stored: reset.stored, in: context)
        surroundings = SystemSurroundings(
            bluetooth, network,
            readsSingles: !settings.knowsMultiple
                || settings.nearbyInteraction.has(.readsSingleBesideMultiple))
        knowsMultiple = settings.knowsMultiple
        set(settings.nearbyInteraction, at: reset.address, inspects: settings.inspects)
        connect()
    }

    /// Lets Bluetooth and the camera know what Nearby Interaction of this device can.
    private func set(
        _ parameters: NearbyInteractionParameters, at address: Address, inspects: Bool
    ) {
        if inspects { bluetooth.inspected = .nearbyInteraction }
        if parameters.has(.showsHiddenService) { bluetooth.shown = .nearbyInteraction }
        nearbyInteraction.address = address
        camera.isSupported = parameters.capabilities.supportsCameraAssistance
    }

    /// Lets the parts of the system hear of one another.
    private func connect() {
        nearbyInteraction.surroundings = surroundings
        camera.listener = nearbyInteraction
        nearbyInteraction.endApp = { [weak self] in self?.jetsam() }
        bluetooth.linkEnded = { [weak self] in self?.nearbyInteraction.linkEnded(of: $0) }
        bluetooth.relaunch = { [weak self] in self?.relaunch(for: ($0, $1)) }
    }

    /// The restore identifiers of managers for which an app is launched.
    typealias RestoredManagers = (centrals: [String], peripherals: [String])

    deinit { bluetooth.shutDown() }

    func handle(_ event: DeviceEvent) {
        switch event {
        case .boot:
            if !knowsMultiple { context.observe(.systemSinglesOnly) }
            if launchesApp { launch() }
        case .command(let name, let arguments): perform(name, with: Arguments(arguments))
        case .timer(Self.sleepTimer): runtime.setAsleep(true)
        case .timer, .queue, .bluetooth, .uwb, .camera, .network:
            let isTaken =
                host.handle(event) || nearbyInteraction.handle(event) || camera.handle(event)
                || runtime.handle(event)
                || network.handle(event) || bluetooth.handle(event)
            if !isTaken { context.log("nobody takes \(event)") }
        }
        nearbyInteraction.callUnasked(at: event)
    }
}

// The life of the app.
extension AppleDeviceSystem {
    private func launch() {
        guard app == nil else { return context.log("the app is running already") }
        context.observe(.appLaunched)
        isInFront = true
        updateForeground()
        makeApp(after: ([], []))
    }

    /// An app that has run before has a new process now, and with it new globals.
    private func makeApp(after managers: RestoredManagers) {
        if hasRun { AppGlobals.renew() }
        hasRun = true
        app = makeApp(managers)
    }

    /// Force-quit: everything that the app had ends with it, also what the system kept of an app that it had ended.
    private func terminate() {
        guard let app else {
            bluetooth.forgetPreserved()
            return context.log("the app is not running")
        }
        context.observe(.appTerminated)
        // An app that does not listen is ended without a word.
        if !runtime.isMainBusy {
            app.willTerminate()
            runtime.willTerminate()
        }
        end { bluetooth.terminateApp() }
    }

    /// What the app had ends with it, but for what Bluetooth keeps.
    private func end(bluetooth: () -> Void = {}) {
        app = nil
        nearbyInteraction.terminateApp()
        camera.terminateApp()
        bluetooth()
        watch.terminateApp()
        multipeer.terminateApp()
        network.endAll()
        runtime.terminate()
    }

    /// The user deletes the app: what the system and the app have kept for it is forgotten.
    ///
    /// Launched again, it is as it was when it was installed.
    private func deleteApp() {
        if app != nil { terminate() }
        runtime.forgetSettings()
        nearbyInteraction.forgetPermission()
    }

    /// The system ends the app for its memory, without a word; what Bluetooth keeps for it goes on.
    private func jetsam() {
        guard app != nil else { return context.log("the app is not running") }
        context.observe(.appTerminated)
        bluetooth.preserveApp()
        end()
    }

    /// The system launches the app in the background, because something happens that its managers wait for.
    private func relaunch(for managers: RestoredManagers) {
        guard app == nil else { return }
        context.observe(.appLaunched)
        isInFront = false
        updateForeground()
        context.observe(.appBackground)
        makeApp(after: managers)
    }

    private static let sleepTimer = "system/sleep"

    private func updateForeground() {
        let isForeground = isInFront && !isLocked
        guard isForeground != nearbyInteraction.isForeground else { return }
        if let backgroundTime {
            if isForeground {
                context.cancelTimer(Self.sleepTimer)
                runtime.setAsleep(false)
            } else {
                context.setTimer(Self.sleepTimer, after: backgroundTime)
            }
        }
        if let app {
            let told =
                nearbyInteraction.goesOnInBackground
                ? [Field("live-activity", .flag(true))] : []
            context.observe(
                isForeground ? .appForeground : .appBackground, fields: isForeground ? [] : told)
            runtime.onMain {
                if isForeground { app.willEnterForeground() } else { app.didEnterBackground() }
            }
        }
        runtime.setForeground(isForeground, whileRunning: app != nil)
        bluetooth.isForeground = isForeground
        multipeer.setForeground(isForeground)
        camera.setForeground(isForeground)
        nearbyInteraction.setForeground(isForeground)
    }
}

// What the script wants.
extension AppleDeviceSystem {
    private func perform(_ name: String, with arguments: Arguments) {
        switch CommandName(rawValue: name) {
        case .launch: return launch()
        case .terminate: return terminate()
        case .jetsam: return jetsam()
        case .background: return setInFront(false)
        case .foreground: return setInFront(true)
        case .lock: return setLocked(true)
        case .unlock: return setLocked(false)
        case .suspend: return nearbyInteraction.setSuspending(true)
        case .resume: return nearbyInteraction.setSuspending(false)
        case .forgetBond: return bluetooth.forgetBonds()
        case .deleteApp: return deleteApp()
        case .start: return ofUser { $0.start(peer: arguments["peer"]) }
        case .stop: return ofUser { $0.stop(peer: arguments["peer"]) }
        case .uwbEnded:
            guard let session = arguments["session"].flatMap({ UInt32($0) }) else { return }
            return nearbyInteraction.endInBand(session)
        case .permission:
            guard let isAllowed = arguments.flag("answer", yes: "allow", no: "deny") else { break }
            return nearbyInteraction.setPermission(isAllowed: isAllowed)
        case .bluetooth:
            if arguments["power"] == "reset" { return resetBluetooth() }
            guard let isOn = arguments.flag("power", yes: "on", no: "off") else { break }
            return setPower(isOn)
        case .exhaust:
            guard let isOn = arguments.flag("on", yes: "true", no: "false") else { break }
            nearbyInteraction.isExhausted = isOn
            return
        case .findMy:
            guard let isOn = arguments.flag("on", yes: "true", no: "false") else { break }
            context.observe(.systemFindMy, fields: [Field("on", .flag(isOn))])
            return nearbyInteraction.setFindMy(isInUse: isOn)
        case .mainThread:
            guard let isBusy = arguments.flag("state", yes: "busy", no: "free") else { break }
            guard app != nil else { return context.log("the app is not running") }
            return runtime.setMainBusy(isBusy)
        case .invalidate:
            let name = arguments["error"] ?? NIError.Code.sessionFailed.name
            guard let code = NIError.Code.allCases.first(where: { $0.name == name }) else { break }
            return withPeer(in: arguments) { nearbyInteraction.invalidate($0, with: code) }
        case .changeAddress, nil: return context.log("there is no command '\(name)'")
        }
        context.log("the arguments of '\(name)' are not understood: \(arguments)")
    }

    /// The user touches the app, which is an event of its main thread.
    private func ofUser(_ body: @escaping (any SimulatedApp) -> Void) {
        guard let app else { return }
        runtime.onMain { body(app) }
    }

    private func setInFront(_ isInFront: Bool) {
        self.isInFront = isInFront
        updateForeground()
    }

    private func setLocked(_ isLocked: Bool) {
        self.isLocked = isLocked
        updateForeground()
    }

    private func setPower(_ isOn: Bool) {
        guard isOn != bluetooth.isPoweredOn else { return }
        context.observe(.systemBluetooth, fields: [Field("power", .text(isOn ? "on" : "off"))])
        bluetooth.setPower(isOn)
    }

    /// The system's Bluetooth restarts, which for promises is off and on.
    private func resetBluetooth() {
        guard bluetooth.isPoweredOn else { return }
        context.observe(.systemBluetooth, fields: [Field("power", .text("off"))])
        bluetooth.reset { [context] in
            context.observe(.systemBluetooth, fields: [Field("power", .text("on"))])
        }
    }

    /// Does something to the peer of a name, or to all where none is named.
    private func withPeer(in arguments: Arguments, _ body: (KnownAccessory?) -> Void) {
        guard let name = arguments["peer"] else { return body(nil) }
        if let address = bluetooth.address(named: name) { return body(.address(address)) }
        guard network.knows(name) else {
            return context.log("no accessory '\(name)' was ever heard")
        }
        body(.host(name))
    }
}

private struct Arguments: CustomStringConvertible {
    private let pairs: [Pair]

    init(_ pairs: [Pair]) { self.pairs = pairs }

    subscript(name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// Whether an argument is one word or the other; nil where it is neither.
    func flag(_ name: String, yes: String, no: String) -> Bool? {
        self[name] == yes ? true : self[name] == no ? false : nil
    }

    var description: String {
        pairs.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
    }
}
