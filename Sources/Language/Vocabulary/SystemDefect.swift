/// What goes wrong on purpose in the system of an Apple device.
package enum SystemDefect: String, DefectName {
    case updateWhileSuspended = "update-while-suspended"
    case secondOutcome = "second-outcome"
    case callbackAfterInvalidation = "callback-after-invalidation"
    case silentRefusal = "silent-refusal"
    case updateBeforeShareableData = "update-before-shareable-data"
    case updatesAfterRemoval = "updates-after-removal"
    case resumesByItself = "resumes-by-itself"
    case ignoresBackground = "ignores-background"
    case startsInBackground = "starts-in-background"
    case startsThoughDenied = "starts-though-denied"
    case ignoresDenial = "ignores-denial"
    case zeroForMiss = "zero-for-miss"
    case repeatsSessionID = "repeats-session-id"
    case sharesOtherSessionID = "shares-other-session-id"
    case ignoresUpdateRate = "ignores-update-rate"
    case skipsVerification = "skips-verification"
    case readsSingleBesideMultiple = "reads-single-beside-multiple"
    case showsHiddenService = "shows-hidden-service"
    case sharesOtherSlots = "shares-other-slots"
    case sharesTwice = "shares-twice"
    case rangesTooOften = "ranges-too-often"
    case rangesTooSeldom = "ranges-too-seldom"
    case acceptsAnyConfiguration = "accepts-any-configuration"
    case ignoresPeerEnd = "ignores-peer-end"
    case sharesWithPeers = "shares-with-peers"
    case manyExtendedSessions = "many-extended-sessions"
    case ignoresFindMy = "ignores-find-my"
    case findMySuspendsAll = "find-my-suspends-all"
    case radioOutlivesSession = "radio-outlives-session"
    case showsAnglesTooSoon = "shows-angles-too-soon"
    case findsInTheDark = "finds-in-the-dark"
    case keepsLastDirection = "keeps-last-direction"
    case missesAnEvent = "misses-an-event"
    case callsAtAnEvent = "calls-at-an-event"
}

extension SystemDefect {
    private typealias Race = Catalogue.Race

    package var row: DefectRow {
        switch self {
        case .updateWhileSuspended: "didUpdate goes on while the session is suspended."
        case .secondOutcome: "sessionDidStartRunning comes twice for one run."
        case .callbackAfterInvalidation:
            "After didInvalidateWith of a running session didRemove follows."
        case .silentRefusal: "The app hears nothing of a session whose radio refuses to start."
        case .updateBeforeShareableData:
            "didUpdate comes without a distance before the shareable data does."
        case .updatesAfterRemoval:
            DefectRow(
                "didRemove is called, and measuring goes on.",
                one: ["ranging round"], other: ["ni.didRemove"] + Race.linkEnds)
        case .resumesByItself:
            "sessionDidStartRunning follows sessionSuspensionEnded without a run."
        case .ignoresBackground: "Sessions go on as they are when the app leaves the foreground."
        case .startsInBackground:
            DefectRow(
                "A session that is run in the background starts as in the foreground.",
                one: ["ni.run", "link.up", "air.connected"] + Race.linkEnds, other: Race.suspension)
        case .startsThoughDenied: "A session starts although the user does not allow it."
        case .ignoresDenial: "A running session goes on when the user withdraws the permission."
        case .zeroForMiss: "A missed round is reported as a distance of 0."
        case .repeatsSessionID: "Every ranging session has the same session id."
        case .sharesOtherSessionID:
            "The radio ranges with another session id than the shareable data says."
        case .ignoresUpdateRate:
            "The interval is that of an infrequent rate, whatever the accessory prefers."
        case .skipsVerification:
            "Ranging goes on in the background without a look at the Nearby Interaction Service."
        case .readsSingleBesideMultiple:
            "Single characteristics are read although there is a Multiple one."
        case .showsHiddenService: "Apps are shown the Nearby Interaction Service."
        case .sharesOtherSlots: "The radio starts with other slots than the shareable data says."
        case .sharesTwice: "Shareable data is generated twice for one run."
        case .rangesTooOften: "The radio ranges three times as often as the accessory prefers."
        case .rangesTooSeldom: "The radio ranges a third as often as the accessory prefers."
        case .acceptsAnyConfiguration:
            "Whatever the Nearby Interaction Service holds counts as the configuration."
        case .ignoresPeerEnd:
            "The end that an accessory's radio tells in-band is passed over, until all is silent."
        case .sharesWithPeers: "A session with another Apple device generates shareable data, too."
        case .manyExtendedSessions: "Any number of sessions measures at extended distance at once."
        case .ignoresFindMy:
            "A session that measures at extended distance goes on while Find My is used."
        case .findMySuspendsAll:
            "Find My suspends sessions that do not measure at extended distance, too."
        case .radioOutlivesSession:
            "The radio of an invalidated session with another Apple device goes on."
        case .showsAnglesTooSoon: "Angles are shown before camera assistance has converged."
        case .findsInTheDark: "Camera assistance goes on where it is too dark for the camera."
        case .keepsLastDirection: "Where no direction is measured the last one is told on."
        case .missesAnEvent:
            "What happens to a session first after `system-wrong-after`, but no round, has no effect."
        case .callsAtAnEvent:
            "What happens first after `system-wrong-after` makes it tell the app that its sessions run."
        }
    }
}
