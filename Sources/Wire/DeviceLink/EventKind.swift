/// What can happen in a run: the kinds of events that Anechoic knows.
///
/// TRACE.md says what each means and which fields it has. A device may observe kinds of its own besides; they
/// have a name, and are none of these.
public enum EventKind: String, CaseIterable, Sendable {
    // What the orchestrator sees, in the order of TRACE.md. Nobody has to tell it.

    case runStarted = "run.started"
    case runLag = "run.lag"
    case runEnded = "run.ended"

    case scriptStep = "script.step"
    case scriptEnded = "script.ended"

    case faultsStopped = "faults.stopped"

    case userStart = "user.start"
    case userStop = "user.stop"

    case deviceStarted = "device.started"
    case deviceDied = "device.died"
    case deviceFrozen = "device.frozen"
    case deviceThawed = "device.thawed"
    case deviceStale = "device.stale"
    case deviceTurn = "device.turn"

    case faultDisconnect = "fault.disconnect"
    case faultLoss = "fault.loss"
    case faultUWBLoss = "fault.uwb-loss"
    case faultDelay = "fault.delay"
    case faultThrottle = "fault.throttle"
    case faultHold = "fault.hold"
    case faultRelease = "fault.release"
    case faultPartition = "fault.partition"
    case faultRepair = "fault.repair"
    case faultMove = "fault.move"
    case faultObstruct = "fault.obstruct"
    case faultClear = "fault.clear"
    case faultKill = "fault.kill"
    case faultRestart = "fault.restart"
    case faultFreeze = "fault.freeze"
    case faultThaw = "fault.thaw"
    case faultCorrupt = "fault.corrupt"
    case faultRefuseUWB = "fault.refuse-uwb"
    case faultBusy = "fault.busy"
    case faultCommand = "fault.command"

    case airAdvertising = "air.advertising"
    case airScanning = "air.scanning"
    case airConnecting = "air.connecting"
    case airConnected = "air.connected"
    case airDisconnecting = "air.disconnecting"
    case airDisconnected = "air.disconnected"

    case linkUp = "link.up"
    case linkDown = "link.down"
    case linkEncrypted = "link.encrypted"
    case linkUpdated = "link.updated"

    case networkFailed = "network.failed"
    case networkSent = "network.sent"
    case networkReceived = "network.received"

    case attSent = "att.sent"
    case attReceived = "att.received"

    case gattSearched = "gatt.searched"
    case gattService = "gatt.service"
    case gattCharacteristic = "gatt.characteristic"
    case gattDiscovered = "gatt.discovered"
    case gattDescriptor = "gatt.descriptor"
    case gattDescribed = "gatt.described"
    case gattDescription = "gatt.description"
    case gattSubscribed = "gatt.subscribed"
    case gattConfiguration = "gatt.configuration"
    case gattCompared = "gatt.compared"
    case gattWritten = "gatt.written"
    case gattRefused = "gatt.refused"

    case msgInitializeSent = "msg.initialize.sent"
    case msgInitializeReceived = "msg.initialize.received"
    case msgConfigureAndStartSent = "msg.configureAndStart.sent"
    case msgConfigureAndStartReceived = "msg.configureAndStart.received"
    case msgStopSent = "msg.stop.sent"
    case msgStopReceived = "msg.stop.received"
    case msgGetReservedSent = "msg.getReserved.sent"
    case msgGetReservedReceived = "msg.getReserved.received"
    case msgSetReservedSent = "msg.setReserved.sent"
    case msgSetReservedReceived = "msg.setReserved.received"
    case msgAccessoryConfigurationDataSent = "msg.accessoryConfigurationData.sent"
    case msgAccessoryConfigurationDataReceived = "msg.accessoryConfigurationData.received"
    case msgAccessoryUwbDidStartSent = "msg.accessoryUwbDidStart.sent"
    case msgAccessoryUwbDidStartReceived = "msg.accessoryUwbDidStart.received"
    case msgAccessoryUwbDidStopSent = "msg.accessoryUwbDidStop.sent"
    case msgAccessoryUwbDidStopReceived = "msg.accessoryUwbDidStop.received"
    case msgIOSNotifySent = "msg.iOSNotify.sent"
    case msgIOSNotifyReceived = "msg.iOSNotify.received"
    case msgOtherSent = "msg.other.sent"
    case msgOtherReceived = "msg.other.received"
    case msgMalformedSent = "msg.malformed.sent"
    case msgMalformedReceived = "msg.malformed.received"

    case uwbStarting = "uwb.starting"
    case uwbStarted = "uwb.started"
    case uwbRefused = "uwb.refused"
    case uwbStopped = "uwb.stopped"
    case uwbRound = "uwb.round"
    case uwbEnded = "uwb.ended"

    // What devices observe in themselves.

    case niCreated = "ni.created"
    case niRun = "ni.run"
    case niPause = "ni.pause"
    case niInvalidate = "ni.invalidate"
    case niDidStartRunning = "ni.didStartRunning"
    case niDidGenerateShareableConfigurationData = "ni.didGenerateShareableConfigurationData"
    case niDidUpdate = "ni.didUpdate"
    case niDidUpdateAlgorithmConvergence = "ni.didUpdateAlgorithmConvergence"
    case niDidRemove = "ni.didRemove"
    case niSessionWasSuspended = "ni.sessionWasSuspended"
    case niSessionSuspensionEnded = "ni.sessionSuspensionEnded"
    case niDidInvalidate = "ni.didInvalidate"

    case arRun = "ar.run"
    case arFrame = "ar.frame"
    case arTrackingState = "ar.cameraDidChangeTrackingState"
    case arPause = "ar.pause"
    case arInterrupted = "ar.sessionWasInterrupted"
    case arInterruptionEnded = "ar.sessionInterruptionEnded"

    case appLaunched = "app.launched"
    case appTerminated = "app.terminated"
    case appForeground = "app.foreground"
    case appBackground = "app.background"
    case appFound = "app.found"
    case appLost = "app.lost"
    case appStart = "app.start"
    case appStop = "app.stop"
    case appAttempt = "app.attempt"
    case appGaveUp = "app.gaveUp"
    case appConnected = "app.connected"
    case appDisconnected = "app.disconnected"
    case appService = "app.service"
    case appSubscribed = "app.subscribed"
    case appReceived = "app.received"
    case appNotification = "app.notification"
    case appQuality = "app.quality"

    case systemPermission = "system.permission"
    case systemPrompt = "system.prompt"
    case systemPairing = "system.pairing"
    case systemPaired = "system.paired"
    case systemBluetooth = "system.bluetooth"
    case systemSinglesOnly = "system.singlesOnly"
    case systemFindMy = "system.findMy"

    case accessoryConfigured = "accessory.configured"
    case accessoryRejected = "accessory.rejected"
    case accessoryStart = "accessory.start"
    case accessoryStop = "accessory.stop"
    case accessoryError = "accessory.error"

    case uciCommand = "uci.command"
    case uciResponse = "uci.response"
    case uciNotification = "uci.notification"
}

extension EventKind {
    /// The kind of this name; nil where it is a device's own.
    public init?(named name: String) {
        guard let kind = Self.named[name] else { return nil }
        self = kind
    }

    /// The raw value's own search goes from one name to the next.
    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// What stands before the first full stop of its name.
    public var family: Substring { rawValue.prefix { $0 != "." } }

    /// Whether a device observes it in itself.
    public var isObserved: Bool {
        switch family {
        case "ni", "ar", "app", "system", "accessory", "uci": true
        default: false
        }
    }

    /// Whether it is a packet between a UWB host and its chip.
    public var isUCIPacket: Bool {
        switch self {
        case .uciCommand, .uciResponse, .uciNotification: true
        default: false
        }
    }

    /// What a device may observe: all but the families of what the orchestrator sees, which is evidence.
    public static let fence = ObservationFence(families: fencedFamilies)

    /// The families of what the orchestrator sees, each once.
    public static let fencedFamilies: [String] = allCases.reduce(into: []) { families, kind in
        let family = String(kind.family)
        if !kind.isObserved, !families.contains(family) { families.append(family) }
    }
}
