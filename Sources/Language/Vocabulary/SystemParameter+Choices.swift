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

    /// A version of iOS, and of watchOS of the same year.
    package enum SystemVersion: String, CaseIterable, Sendable, Comparable {
        case v14 = "14"
        case v15 = "15"
        case v16 = "16"
        case v17 = "17"
        case v18 = "18"
        case v18_4 = "18.4"
        case v26 = "26"

        package static let latest = Self.v26

        package static func < (left: Self, right: Self) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// What a session gets whose ARSession loses the camera to another one.
    package enum UnsharedCamera: String, CaseIterable, Sendable {
        /// `didInvalidateWith` `invalidARConfiguration`.
        case invalidated
        /// It is suspended until nobody has the camera.
        case suspended
    }

    /// What a session gets that is run with an ARSession that has no frame yet.
    package enum UnreadyCamera: String, CaseIterable, Sendable {
        /// `didInvalidateWith` `invalidARConfiguration`.
        case invalidated
        /// It runs, and the camera helps from its first frame on.
        case waits
    }

    /// What a session gets that goes on in the background and loses its Bluetooth link there.
    package enum BackgroundLinkLoss: String, CaseIterable, Sendable {
        /// Nothing: it measures on.
        case survives
        /// `didRemove` by timeout.
        case removed
        /// `didInvalidateWith` `accessoryPeerDeviceUnavailable`.
        case invalidated
    }

    /// What a session by Bluetooth identifier gets whose accessory is not paired or not connected: Apple names the error,
    /// and the field has seen the other two.
    package enum UnpairedAccessory: String, CaseIterable, Sendable {
        /// `didInvalidateWith` `accessoryPeerDeviceUnavailable`.
        case invalidated
        /// `didRemove` by timeout, at once.
        case removed
        case silent
    }

    /// When the peer of a session with another Apple device is told that it stops.
    package enum PeerEnd: String, CaseIterable, Sendable {
        /// When it is invalidated, as Apple says.
        case invalidation
        /// Also when it is paused, suspended or its app ends.
        case everyStop = "every-stop"
        /// Never: it finds out by its timeout.
        case never
    }

    /// What becomes of a run with the token of a session that is known to be over.
    package enum EndedToken: String, CaseIterable, Sendable {
        /// `didInvalidateWith` `invalidConfiguration`.
        case refused
        /// It runs, and measures nothing.
        case silent
    }

    /// What becomes of a run with extended distance where one of the devices cannot measure it.
    package enum ExtendedWithoutSupport: String, CaseIterable, Sendable {
        case invalidConfiguration
        case incompatiblePeerDevice
        /// It measures as the first generation does.
        case ordinary
    }

    /// What Multipeer does while the app is in the background.
    package enum MultipeerInBackground: String, CaseIterable, Sendable {
        /// It stops advertising and browsing and disconnects sessions, as Apple says.
        case dropped
        case kept
    }

    /// When the user is asked by a session that is run in the background.
    package enum BackgroundPrompt: String, CaseIterable, Sendable {
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
        /// The system ends the app, as it does for other permissions.
        case terminated
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
