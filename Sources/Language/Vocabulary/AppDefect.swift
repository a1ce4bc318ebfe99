/// A field bug that the reference app can have, switched on by a topology.
///
/// It changes the way the code takes, as the field bug did; it draws nothing and observes nothing that
/// the healthy app would not.
package enum AppDefect: String, DefectName {
    case initializeBeforeSubscription = "initialize-before-subscription"
    case singleConfiguration = "single-configuration"
    case unboundedRetries = "unbounded-retries"
    case ignoresSuspensionEnded = "ignores-suspension-ended"
    case rangesThroughSuspension = "ranges-through-suspension"
    case writesAfterInvalidation = "writes-after-invalidation"
    case secondSessionPerService = "second-session-per-service"
    case disconnectsOnDidStop = "disconnects-on-did-stop"
    case resumesOldConfiguration = "resumes-old-configuration"
    case crashesOnUnknownMessage = "crashes-on-unknown-message"
    case ignoresRemoval = "ignores-removal"
    case keepsSessionAfterDisconnect = "keeps-session-after-disconnect"
    case retriesWhenDenied = "retries-when-denied"
    case truncatesWrites = "truncates-writes"
    case changesConfiguration = "changes-configuration"
    case runsInvalidatedSession = "runs-invalidated-session"
    case retriesWhenEnded = "retries-when-ended"
    case runsWhileSuspended = "runs-while-suspended"
    case notifiesInForeground = "notifies-in-foreground"
    case keepsLostAccessories = "keeps-lost-accessories"
    case losesConnectedAccessories = "loses-connected-accessories"
    case keepsConfiguration = "keeps-configuration"
    case forgetsToInvalidate = "forgets-to-invalidate"
    case triesAfterGivingUp = "tries-after-giving-up"
    case abandonsLostLink = "abandons-lost-link"
    case keepsConnectingFlag = "keeps-connecting-flag"
    case ignoresStart = "ignores-start"
    case delaysShareableData = "delays-shareable-data"
    case keepsShareableData = "keeps-shareable-data"
    case dropsLinkWhileRanging = "drops-link-while-ranging"
    case insistsOnPairing = "insists-on-pairing"
    case keepsEndedToken = "keeps-ended-token"
    case secondSessionPerPeer = "second-session-per-peer"
    case noSharedCamera = "no-shared-camera"
    case runsBeforeFirstFrame = "runs-before-first-frame"
    case sharesItsMap = "shares-its-map"
    case passesNewTokenOver = "passes-new-token-over"
    case losesACallback = "loses-a-callback"
    case disconnectsWhenSurprised = "disconnects-when-surprised"
    case disconnectsAtACallback = "disconnects-at-a-callback"
    case runsAtACallback = "runs-at-a-callback"
}

extension AppDefect {
    private typealias Race = Catalogue.Race

    package var row: DefectRow {
        switch self {
        case .initializeBeforeSubscription:
            DefectRow(
                "initialize is written before the subscription is acknowledged.",
                one: ["msg.initialize"], other: ["gatt.subscribed", "app.subscribed"])
        case .singleConfiguration:
            DefectRow(
                "One global configuration for all accessories: the last one received wins.",
                one: ["ni.didGenerateShareableConfigurationData"],
                other: ["msg.accessoryConfigurationData", "ni.run", "msg.configureAndStart"])
        case .unboundedRetries:
            DefectRow(
                "Failed attempts are repeated at once and for ever.",
                one: Race.handshake, other: ["fault"])
        case .ignoresSuspensionEnded: "sessionSuspensionEnded is only logged."
        case .rangesThroughSuspension:
            DefectRow(
                "No stop is sent when the session is suspended.",
                one: Race.rangingBegins, other: Race.suspension)
        case .writesAfterInvalidation:
            DefectRow(
                "After didInvalidateWith the old session's shareable data is sent once more.",
                one: Race.handshake, other: ["fault.corrupt"] + Race.linkEnds)
        case .secondSessionPerService:
            DefectRow(
                "An accessory counts as connected once for each of its services.",
                one: ["ni.created", "app.start"], other: ["msg.accessoryConfigurationData"])
        case .disconnectsOnDidStop:
            DefectRow(
                "accessoryUwbDidStop ends the Bluetooth link.",
                one: Race.handshake, other: ["fault"])
        case .resumesOldConfiguration:
            DefectRow(
                "When a suspension ended the old configuration is run again.",
                one: Race.rangingBegins, other: Race.suspension)
        case .crashesOnUnknownMessage:
            "A message that cannot be decoded crashes the device (by process only)."
        case .ignoresRemoval:
            DefectRow(
                "didRemove is ignored; the app believes that it still ranges.",
                one: Race.handshake, other: ["fault", "ni.didRemove"])
        case .keepsSessionAfterDisconnect:
            DefectRow(
                "A lost link leaves its NISession running; the next link runs it again.",
                one: Race.rangingBegins,
                other: ["link.up", "msg.accessoryConfigurationData"] + Race.linkEnds)
        case .retriesWhenDenied: "userDidNotAllow is retried at once and for ever."
        case .truncatesWrites: "Messages are cut to the write length of the moment of connecting."
        case .changesConfiguration:
            "The update rate in the accessory's configuration data is set to automatic."
        case .runsInvalidatedSession: "An invalidated session is kept and run again."
        case .retriesWhenEnded:
            "A session that the accessory has ended is retried as after a timeout."
        case .runsWhileSuspended:
            DefectRow(
                "A session that was suspended is run again at once.",
                one: Race.rangingBegins + ["ni.run"],
                other: Race.suspension + ["ni.sessionSuspensionEnded"])
        case .notifiesInForeground:
            "The accessory's notifications are shown in the foreground, too."
        case .keepsLostAccessories:
            DefectRow(
                "An accessory that timed out stays on the list, and its pending connection with it.",
                one: ["air.connecting", "air.connected"],
                other: ["air.advertising", "advertising event"])
        case .losesConnectedAccessories:
            "A connected accessory has to be heard advertising to stay on the list."
        case .keepsConfiguration: "The configuration data of the last link is run on the next one."
        case .forgetsToInvalidate:
            DefectRow(
                "The session of a lost link is replaced and not invalidated.",
                one: ["ni.created"] + Race.handshake,
                other: [
                    "ni.didUpdate", "ni.didRemove", "ni.didInvalidate", "ni.sessionWasSuspended",
                ] + Race.linkEnds)
        case .triesAfterGivingUp:
            DefectRow(
                "The app says that it has given up, and tries on after a while.",
                one: Race.handshake, other: ["fault"])
        case .abandonsLostLink:
            DefectRow(
                "A lost link is forgotten: nothing looks for the accessory any more.",
                one: Race.handshake, other: Race.linkEnds)
        // A flag that says so outlives what it says.
        case .keepsConnectingFlag:
            "A connection that was pending when Bluetooth went off counts as pending for ever."
        case .ignoresStart: "The user's second wish to range is not heard."
        case .delaysShareableData:
            DefectRow(
                "Shareable data is passed on a second later.",
                one: ["ni.didGenerateShareableConfigurationData", "msg.configureAndStart"],
                other: ["ni.invalidate", "ni.didInvalidate", "ni.sessionWasSuspended"]
                    + Race.linkEnds)
        case .keepsShareableData: "Shareable data is never sent."
        // Ranging needs no Bluetooth, somebody thought, and a link costs energy.
        case .dropsLinkWhileRanging: "The link is ended as soon as a distance is there."
        case .insistsOnPairing:
            "What could not be read because nobody paired is read again at once, and again."
        case .keepsEndedToken: "The token of a session that its peer has ended is run again."
        case .secondSessionPerPeer:
            DefectRow(
                "A phone that comes back with a new Multipeer identifier counts as another one.",
                one: ["link.up", "ni.run"], other: ["network", "app.disconnected"])
        case .noSharedCamera:
            "setARSession is forgotten: each session with the camera makes an ARSession."
        case .runsBeforeFirstFrame:
            DefectRow(
                "Sessions are run with an ARSession that has no frame yet.",
                one: ["ni.run"] + Race.handshake, other: ["ar.frame"])
        case .sharesItsMap: "The ARSession is run with collaboration."
        case .passesNewTokenOver:
            DefectRow(
                "A peer's new token is passed over while the session with the old one runs.",
                one: ["network.received", "app.received"], other: ["uwb.ended", "ni.didRemove"])
        case .losesACallback:
            "What the app is told first after `app-wrong-after`, but no measurement, has no effect."
        case .disconnectsWhenSurprised:
            DefectRow(
                "A message that the app does not wait for ends the Bluetooth link.",
                one: Race.handshake, other: ["fault"])
        case .disconnectsAtACallback:
            "What the app is told first after `app-wrong-after` makes it end the Bluetooth link."
        case .runsAtACallback:
            "What the app is told first after `app-wrong-after` makes it run its last configuration again."
        }
    }
}
