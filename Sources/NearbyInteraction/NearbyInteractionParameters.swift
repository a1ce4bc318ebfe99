package import DeviceKit

/// All that Apple does not publish about sessions, and what the user does.
package struct NearbyInteractionParameters: Equatable, Sendable {
    /// Which callback of a start comes first.
    package enum StartOrder: String, CaseIterable, Sendable {
        /// `sessionDidStartRunning`.
        case startedFirst = "started-first"
        /// `didGenerateShareableConfigurationData`.
        case shareableFirst = "shareable-first"
    }

    /// Whether the app's own `invalidate()` is called back.
    package enum OwnInvalidate: String, CaseIterable, Sendable {
        /// No callback.
        case silent
        /// `didInvalidateWith` `sessionFailed`.
        case callsBack = "calls-back"
    }

    /// Whether a running session that is run again starts again.
    package enum RerunStart: String, CaseIterable, Sendable {
        /// `sessionDidStartRunning` for every run.
        case repeated
        /// `sessionDidStartRunning` only for the run that made it running.
        case once
    }

    /// How a session ends whose start failed, or whose data is not what the accessory holds.
    package enum Ending: String, CaseIterable, Sendable {
        /// `didRemove` by timeout.
        case removed
        /// `didInvalidateWith` an error.
        case invalidated
    }

    /// Whether the user allows Nearby Interaction.
    package enum Permission: String, CaseIterable, Sendable {
        /// The user is asked at the first run and allows it.
        case askAllow = "ask-allow"
        /// The user is asked at the first run and denies it.
        case askDeny = "ask-deny"
        /// The user has allowed it before.
        case allowed
        /// The user has denied it before.
        case denied
    }

    /// What goes wrong in the system itself, on purpose.
    package enum Defect: String, CaseIterable, Sendable {
        /// `didUpdate` goes on while the session is suspended.
        case updateWhileSuspended = "update-while-suspended"
        /// `sessionDidStartRunning` comes twice for one run.
        case secondOutcome = "second-outcome"
        /// After `didInvalidateWith` of a running session `didRemove` follows.
        case callbackAfterInvalidation = "callback-after-invalidation"
        /// A session whose radio refuses to start gets no callback.
        case silentRefusal = "silent-refusal"
        /// `didUpdate` comes without a distance before the shareable data does.
        case updateBeforeShareableData = "update-before-shareable-data"
        /// `didRemove` is called, and measuring goes on.
        case updatesAfterRemoval = "updates-after-removal"
        /// `sessionDidStartRunning` follows `sessionSuspensionEnded` without a run.
        case resumesByItself = "resumes-by-itself"
        /// Sessions go on as they are when the app leaves the foreground.
        case ignoresBackground = "ignores-background"
        /// A session that is run in the background starts as in the foreground.
        case startsInBackground = "starts-in-background"
        /// A session starts although the user does not allow it.
        case startsThoughDenied = "starts-though-denied"
        /// A running session goes on when the user withdraws the permission.
        case ignoresDenial = "ignores-denial"
        /// A miss is reported as a distance of 0.
        case zeroForMiss = "zero-for-miss"
        /// Every ranging session has the same session id.
        case repeatsSessionID = "repeats-session-id"
        /// The radio ranges with another session id than the shareable data says.
        case sharesOtherSessionID = "shares-other-session-id"
        /// The interval is that of an infrequent rate, whatever the accessory prefers.
        case ignoresUpdateRate = "ignores-update-rate"
        /// Ranging goes on in the background without a look at the Nearby Interaction Service.
        case skipsVerification = "skips-verification"
        /// Single characteristics are read although there is a Multiple one.
        case readsSingleBesideMultiple = "reads-single-beside-multiple"
        /// Apps are shown the Nearby Interaction Service.
        case showsHiddenService = "shows-hidden-service"
    }

    /// What the model can measure.
    package var capabilities = DeviceCapabilities(
        distance: true, direction: true, camera: true, extendedDistance: false)
    /// Whether the user allows it.
    package var permission = Permission.askAllow
    /// How long the user takes to answer the prompt.
    package var promptDelay = Nanoseconds.seconds(1)
    /// Whether the app says what it needs Nearby Interaction for.
    package var hasUsageDescription = true
    /// From `run` to asking the radio.
    package var startLatency = Nanoseconds.milliseconds(20)
    /// How much longer that may take.
    package var startSlack = Nanoseconds.milliseconds(10)
    /// From the shareable data to the first measurement, at most.
    package var preparednessWindow = Nanoseconds.seconds(10)
    /// From the last measurement to the removal.
    package var removalTimeout = Nanoseconds.seconds(5)
    /// How many sessions may be active at once.
    package var sessionLimit = 8
    /// Which callback of a start comes first.
    package var startOrder = StartOrder.startedFirst
    /// Whether the app's own `invalidate()` is called back.
    package var ownInvalidate = OwnInvalidate.silent
    /// Whether a running session that is run again starts again.
    package var rerunStart = RerunStart.repeated
    /// How a session ends whose radio refused to start.
    package var radioRefusal = Ending.invalidated
    /// How a session ends whose data is not what the accessory holds.
    package var configurationMismatch = Ending.removed
    /// How long a session may run; 0 is for ever.
    package var resourceUsageLimit: Nanoseconds = 0
    /// How long a session may stay suspended; 0 is for ever.
    package var suspensionLimit: Nanoseconds = 0
    /// Defects that are switched on.
    package var defects: [Defect] = []

    package init() {}

    /// Whether a defect is switched on.
    package func has(_ defect: Defect) -> Bool { defects.contains(defect) }
}
