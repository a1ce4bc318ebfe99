/// A bug of the app, switched on by a topology.
///
/// Each leaves out one check; `Tests/Strangers/bugs.json` says which two events then race.
enum WayfinderBug: String, CaseIterable {
    /// An accessory that is heard twice before the app connects to it is visited twice.
    case connectsTwice = "connects-twice"
    /// A while after the link came up the accessory counts as subscribed to.
    case assumesSubscribed = "assumes-subscribed"
    /// A message that waits in the app's own queue is acted upon though its link has gone.
    case runsForLostLink = "runs-for-lost-link"
    /// The timer of the first request goes on until the accessory ranges.
    case keepsRequestTimer = "keeps-request-timer"
    /// The timer that renews the session goes on while the session is suspended.
    case refreshesWhileSuspended = "refreshes-while-suspended"
    /// Shareable data that comes when the user has stopped is sent all the same.
    case configuresAfterStop = "configures-after-stop"
    /// What ends the session in the background is not called off in the foreground.
    case lingersOverForeground = "lingers-over-foreground"
    /// The turn to be asked is given on when an accessory ranges, not when its link is lost.
    case keepsTurnAfterDrop = "keeps-turn-after-drop"
    /// The first link ends the scan, whoever has not been heard by then.
    case stopsScanEarly = "stops-scan-early"
}
