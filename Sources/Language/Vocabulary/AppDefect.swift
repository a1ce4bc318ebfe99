/// A field bug that the reference app can have, switched on by a topology.
///
/// It changes the way the code takes, as the field bug did; it draws nothing and observes nothing that
/// the healthy app would not.
package enum AppDefect: String, CaseIterable, Sendable {
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
}

extension AppDefect {
    private typealias Race = Catalogue.Race

    /// What it does, in a sentence.
    package var explanation: String { row.explanation }

    /// The two sides of its race; nil where its order does not matter, or nothing is known of it.
    package var race: Catalogue.Race? { row.race }

    private var row: (explanation: String, race: Catalogue.Race?) {
        switch self {
        case .initializeBeforeSubscription:
            (
                "initialize is written before the subscription is acknowledged.",
                Race(
                    one: ["msg.initialize"], other: ["gatt.subscribed", "app.subscribed"])
            )
        case .singleConfiguration:
            (
                "One global configuration for all accessories: the last one received wins.",
                Race(
                    one: ["ni.didGenerateShareableConfigurationData"],
                    other: ["msg.accessoryConfigurationData", "ni.run", "msg.configureAndStart"])
            )
        case .unboundedRetries:
            (
                "Failed attempts are repeated at once and for ever.",
                Race(one: Race.handshake, other: ["fault"])
            )
        case .ignoresSuspensionEnded: ("sessionSuspensionEnded is only logged.", nil)
        case .rangesThroughSuspension:
            (
                "No stop is sent when the session is suspended.",
                Race(one: Race.rangingBegins, other: Race.suspension)
            )
        case .writesAfterInvalidation:
            (
                "After didInvalidateWith the old session's shareable data is sent once more.",
                Race(one: Race.handshake, other: ["fault.corrupt"] + Race.linkEnds)
            )
        case .secondSessionPerService:
            (
                "An accessory counts as connected once for each of its services.",
                Race(
                    one: ["ni.created", "app.start"], other: ["msg.accessoryConfigurationData"])
            )
        case .disconnectsOnDidStop:
            (
                "accessoryUwbDidStop ends the Bluetooth link.",
                Race(one: Race.handshake, other: ["fault"])
            )
        case .resumesOldConfiguration:
            (
                "When a suspension ended the old configuration is run again.",
                Race(one: Race.rangingBegins, other: Race.suspension)
            )
        case .crashesOnUnknownMessage:
            ("A message that cannot be decoded crashes the device (by process only).", nil)
        case .ignoresRemoval:
            (
                "didRemove is ignored; the app believes that it still ranges.",
                Race(one: Race.handshake, other: ["fault", "ni.didRemove"])
            )
        case .keepsSessionAfterDisconnect:
            (
                "A lost link leaves its NISession running; the next link runs it again.",
                Race(
                    one: Race.rangingBegins,
                    other: ["link.up", "msg.accessoryConfigurationData"] + Race.linkEnds)
            )
        case .retriesWhenDenied: ("userDidNotAllow is retried at once and for ever.", nil)
        case .truncatesWrites:
            ("Messages are cut to the write length of the moment of connecting.", nil)
        case .changesConfiguration:
            ("The update rate in the accessory's configuration data is set to automatic.", nil)
        case .runsInvalidatedSession: ("An invalidated session is kept and run again.", nil)
        case .retriesWhenEnded:
            ("A session that the accessory has ended is retried as after a timeout.", nil)
        case .runsWhileSuspended:
            (
                "A session that was suspended is run again at once.",
                Race(
                    one: Race.rangingBegins + ["ni.run"],
                    other: Race.suspension + ["ni.sessionSuspensionEnded"])
            )
        case .notifiesInForeground:
            ("The accessory's notifications are shown in the foreground, too.", nil)
        case .keepsLostAccessories:
            (
                "An accessory that timed out stays on the list, and its pending connection with it.",
                Race(
                    one: ["air.connecting", "air.connected"],
                    other: ["air.advertising", "advertising event"])
            )
        case .losesConnectedAccessories:
            ("A connected accessory has to be heard advertising to stay on the list.", nil)
        case .keepsConfiguration:
            ("The configuration data of the last link is run on the next one.", nil)
        case .forgetsToInvalidate:
            (
                "The session of a lost link is replaced and not invalidated.",
                Race(
                    one: ["ni.created"] + Race.handshake,
                    other: [
                        "ni.didUpdate", "ni.didRemove", "ni.didInvalidate",
                        "ni.sessionWasSuspended",
                    ]
                        + Race.linkEnds)
            )
        case .triesAfterGivingUp:
            (
                "The app says that it has given up, and tries on after a while.",
                Race(one: Race.handshake, other: ["fault"])
            )
        case .abandonsLostLink:
            (
                "A lost link is forgotten: nothing looks for the accessory any more.",
                Race(one: Race.handshake, other: Race.linkEnds)
            )
        case .delaysShareableData:
            (
                "Shareable data is passed on a second later.",
                Race(
                    one: ["ni.didGenerateShareableConfigurationData", "msg.configureAndStart"],
                    other: ["ni.invalidate", "ni.didInvalidate", "ni.sessionWasSuspended"]
                        + Race.linkEnds)
            )
        case .keepsShareableData: ("Shareable data is never sent.", nil)
        // Ranging needs no Bluetooth, somebody thought, and a link costs energy.
        case .dropsLinkWhileRanging: ("The link is ended as soon as a distance is there.", nil)
        case .insistsOnPairing:
            ("What could not be read because nobody paired is read again at once, and again.", nil)
        case .keepsEndedToken:
            ("The token of a session that its peer has ended is run again.", nil)
        case .secondSessionPerPeer:
            (
                "A phone that comes back with a new Multipeer identifier counts as another one.",
                Race(one: ["link.up", "ni.run"], other: ["network", "app.disconnected"])
            )
        case .noSharedCamera:
            ("setARSession is forgotten: each session with the camera makes an ARSession.", nil)
        case .runsBeforeFirstFrame:
            (
                "Sessions are run with an ARSession that has no frame yet.",
                Race(one: ["ni.run"] + Race.handshake, other: ["ar.frame"])
            )
        case .sharesItsMap: ("The ARSession is run with collaboration.", nil)
        case .passesNewTokenOver:
            (
                "A peer's new token is passed over while the session with the old one runs.",
                Race(
                    one: ["network.received", "app.received"],
                    other: ["uwb.ended", "ni.didRemove"])
            )
        }
    }
}
