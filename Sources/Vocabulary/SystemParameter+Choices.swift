// The words of the parameters that are a choice.
extension SystemParameter {
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

    /// When the user is asked by a session that is run in the background.
    package enum BackgroundPrompt: String, CaseIterable, Sendable {
        /// At once.
        case shown
        /// When the app is in the foreground again.
        case waits
    }

    /// What becomes of a session that runs when the user withdraws the permission.
    package enum WithdrawnPermission: String, CaseIterable, Sendable {
        /// `didInvalidateWith` `userDidNotAllow`.
        case invalidated
        /// It runs on: Apple says of a new session alone that it needs the permission.
        case unchanged
    }

    /// Which check of a run comes first.
    package enum CheckOrder: String, CaseIterable, Sendable {
        /// What may not run in the background is suspended, whatever the user allows.
        case backgroundFirst = "background-first"
        /// What the user does not allow ends, wherever its app is.
        case permissionFirst = "permission-first"
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
}
