/// A field bug that the reference app can have, switched on by a topology.
///
/// It changes the way the code takes, as the field bug did; it draws nothing and observes nothing that
/// the healthy app would not.
package enum AppDefect: String, CaseIterable, Sendable {
    /// `initialize` is written before the subscription is acknowledged.
    ///
    /// Races with the CCCD write.
    case initializeBeforeSubscription = "initialize-before-subscription"
    /// One configuration, and one accessory it belongs to, for all.
    ///
    /// What another accessory and its session receive races with the shareable data.
    case singleConfiguration = "single-configuration"
    /// Failed attempts are repeated at once and for ever.
    case unboundedRetries = "unbounded-retries"
    /// The end of a suspension is only logged.
    case ignoresSuspensionEnded = "ignores-suspension-ended"
    /// The accessory is not told to stop when the session is suspended.
    case rangesThroughSuspension = "ranges-through-suspension"
    /// The shareable data of a session is sent once more after its invalidation.
    case writesAfterInvalidation = "writes-after-invalidation"
    /// An accessory counts as connected once for each service it was looked for.
    ///
    /// The second session races with the first one's configuration data.
    case secondSessionPerService = "second-session-per-service"
    /// `accessoryUwbDidStop` ends the link.
    ///
    /// The handshake races with the fault that makes the app try again.
    case disconnectsOnDidStop = "disconnects-on-did-stop"
    /// The end of a suspension runs the old configuration.
    case resumesOldConfiguration = "resumes-old-configuration"
    /// A message that cannot be decoded traps.
    case crashesOnUnknownMessage = "crashes-on-unknown-message"
    /// `didRemove` is ignored.
    case ignoresRemoval = "ignores-removal"
    /// A lost link leaves its session as it is.
    case keepsSessionAfterDisconnect = "keeps-session-after-disconnect"
    /// A missing permission is retried at once and for ever.
    case retriesWhenDenied = "retries-when-denied"
    /// Messages are cut to the length that could be written when the link came up.
    case truncatesWrites = "truncates-writes"
    /// The update rate in the accessory's configuration data is set to automatic.
    case changesConfiguration = "changes-configuration"
    /// An invalidated session is kept and run again.
    case runsInvalidatedSession = "runs-invalidated-session"
    /// A session that the accessory has ended is retried as after a timeout.
    case retriesWhenEnded = "retries-when-ended"
    /// A session that was suspended is run again at once.
    ///
    /// The start of ranging races with the suspension, and the run with its end.
    case runsWhileSuspended = "runs-while-suspended"
    /// What the accessory reports is shown in the foreground, too.
    case notifiesInForeground = "notifies-in-foreground"
    /// An accessory that timed out stays on the list, and its pending connection with it.
    ///
    /// The connection races with the next advertisement.
    case keepsLostAccessories = "keeps-lost-accessories"
    /// A connected accessory has to be heard advertising to stay on the list.
    case losesConnectedAccessories = "loses-connected-accessories"
    /// The configuration data of the last link is run on the next one.
    case keepsConfiguration = "keeps-configuration"
    /// The session of a lost link is replaced and not invalidated.
    ///
    /// The end of its link races with its handshake, and its callbacks with that of the next one.
    case forgetsToInvalidate = "forgets-to-invalidate"
    /// The app says that it has given up, and tries on after a while.
    case triesAfterGivingUp = "tries-after-giving-up"
    /// A lost link is forgotten: nothing looks for the accessory any more.
    case abandonsLostLink = "abandons-lost-link"
    /// Shareable data is passed on a second later.
    ///
    /// Races with the end of its session.
    case delaysShareableData = "delays-shareable-data"
}
