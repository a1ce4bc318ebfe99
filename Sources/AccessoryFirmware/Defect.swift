/// A bug that accessories in the field had, to be switched on by name.
///
/// A defect changes the code path as the field bug did. It draws nothing, reads no schedule and emits no
/// observation that the healthy accessory would not; where the bug is a race, the two events that race
/// are named, and their order stays the scheduler's choice.
package enum Defect: String, CaseIterable, Sendable {
    /// Every `initialize` is answered with the configuration data of the first one, as a firmware does
    /// that populates it once; the handshake succeeds and nothing ranges (R4 3.4.1).
    ///
    /// Race: none; the second session of an accessory shows it.
    case reusedConfiguration = "reused-configuration"
    /// The stop path notifies `accessoryUwbDidStart` (copy and paste).
    ///
    /// Race: the beginning of ranging and the stop; every stop of a session shows it.
    case stopAnswersDidStart = "stop-answers-did-start"
    /// An `initialize` that comes while a session runs is ignored, and the phone waits.
    ///
    /// Race: the phone's retry (`msg.initialize.received`) and the end of the running session
    /// (`uwb.stopped`).
    case ignoresInitializeWhileRanging = "ignores-initialize-while-ranging"
    /// A `configureAndStart` that the middleware rejects is logged and never answered.
    ///
    /// Race: none; a rejection shows it.
    case silentRejection = "silent-rejection"
    /// The receive path has room for one message; one that arrives while it is occupied is dropped.
    ///
    /// Race: the arrival of the second message and the end of handling the first (timer `handling`).
    case lostRequest = "lost-request"
    /// A disconnect resets the bookkeeping only: the radio ranges on and its handle is lost.
    ///
    /// Race: the disconnect, and the start before it or the stop that the phone meant to send.
    case rangesAfterDisconnect = "ranges-after-disconnect"
    /// Advertising is started at power-on only, never after a connection or a disconnect.
    ///
    /// Race: the disconnect and the phone's next connection attempt.
    case advertisesOnce = "advertises-once"
    /// `accessoryUwbDidStart` is sent when the middleware accepted the shareable data, and what becomes
    /// of the start is ignored.
    ///
    /// Race: the acknowledgement and the radio's refusal (`uwb.refused`).
    case didStartWithoutRadio = "did-start-without-radio"
    /// `accessoryUwbDidStart` is sent by an unconditional block after every start: a second time when
    /// it succeeded, and also when it failed.
    ///
    /// Race: none; every start shows it.
    case doubleDidStart = "double-did-start"
    /// `configureAndStart` is carried out in any state; the handle of a running session is overwritten
    /// and that session ranges on.
    ///
    /// Race: the phone's repeated `configureAndStart` and its next `initialize`.
    case replayedStart = "replayed-start"
    /// A stop is answered by `accessoryUwbDidStop` although stopping failed and the radio ranges on.
    ///
    /// Race: the beginning of ranging and the stop; every stop of a running session shows it.
    case stopAcknowledgedThoughRunning = "stop-acknowledged-though-running"
    /// The value of the Nearby Interaction Service is blanked (50 zero bytes) as soon as ranging was
    /// asked for.
    ///
    /// Race: the phone's read of the characteristic and its `configureAndStart`.
    case configurationErasedAfterStart = "configuration-erased-after-start"
    /// The Nearby Interaction Service can be read on a link that is not encrypted (R4 table 4-3).
    ///
    /// Race: the phone's read of the characteristic and the link's encryption.
    case unencryptedConfiguration = "unencrypted-configuration"
    /// Asks for 25–250 ms, latency 6 and a supervision timeout of 16 s, which breaks Apple's rule
    /// (QA1931: at most 6 s), and ends the link when refused for the second time.
    ///
    /// Race: the second refusal and the session that runs meanwhile.
    case badSupervision = "bad-supervision"
    /// Every notification goes to the phone that connected last.
    ///
    /// Race: the second phone's connection and the answer to the first phone's request.
    case notifiesWrongLink = "notifies-wrong-link"
    /// A stop from one phone ends the ranging of all, and only that phone is notified.
    ///
    /// Race: one phone's stop and another phone's session.
    case stopStopsEveryone = "stop-stops-everyone"

    // What is answered, and what a message holds.

    /// Configuration data is sent twice, lest a notification be lost.
    ///
    /// Race: the phone's run with the first copy and the arrival of the second.
    case doubleConfiguration = "double-configuration"
    /// `initialize` runs the stop path, which answers by `accessoryUwbDidStop`, too.
    ///
    /// Race: none; every `initialize` shows it.
    case didStopAtInitialize = "did-stop-at-initialize"
    /// The length in `iOSNotify` is one too many: a terminating zero is counted and not sent.
    ///
    /// Race: none; every notification of the user shows it.
    case miscountsText = "miscounts-text"
    /// The version in configuration data is sent high octet first (R4 2.4.1).
    ///
    /// Race: none; every session shows it.
    case bigEndianVersion = "big-endian-version"
    /// The preferred update rate is 15, which is reserved (R4 3.4.3.1).
    ///
    /// Race: none; every session shows it.
    case reservedUpdateRate = "reserved-update-rate"
    /// The ten bytes for future use hold what was in memory (R4 3.4.2).
    ///
    /// Race: none; every session shows it.
    case fillsReservedBytes = "fills-reserved-bytes"
    /// Configuration data is sent with its buffer of 64 bytes, zeros at its end.
    ///
    /// Race: none; every session shows it.
    case padsConfiguration = "pads-configuration"
    /// Configuration data goes out without UWBConfigData, which the middleware had not given yet.
    ///
    /// Race: none in this model; in the field the middleware's answer and the phone's `initialize`.
    case noUWBData = "no-uwb-data"

    // What the radio gets.

    /// The radio is started as soon as configuration data is made, with parameters of its own, so that
    /// it is warm when the phone's come; nobody stops it.
    ///
    /// Race: none; every session shows it.
    case rangesUnasked = "ranges-unasked"
    /// The radio gets the announced short address with its octets swapped.
    ///
    /// Race: none; every session shows it, but that of an address whose octets are the same.
    case swapsAddressOctets = "swaps-address-octets"
    /// The session id in shareable data is turned round before the middleware gets it (R4 3.5.1).
    ///
    /// Race: none; every session shows it.
    case reordersSessionID = "reorders-session-id"

    // The Nearby Interaction Service.

    /// It is declared twice, first without characteristics (R4 4.1).
    ///
    /// Race: none; every discovery shows it.
    case secondServiceInstance = "second-service-instance"
    /// Its values and descriptions cannot be read at all, on no link (R4 4.1, 4.2.3).
    ///
    /// Race: none; every read of the service shows it.
    case unreadableService = "unreadable-service"
    /// The Single characteristics are in the service of the messages; it has the Multiple one alone (R4
    /// 4.3.3).
    ///
    /// Race: none; every discovery shows it.
    case multipleOnly = "multiple-only"
    /// Single Configuration Data has the property Notify (R4 table 4-3).
    ///
    /// Race: none; every discovery shows it.
    case notifyingConfiguration = "notifying-configuration"
    /// It has a characteristic of the vendor's (R4 table 4-4).
    ///
    /// Race: none; every discovery shows it.
    case strayCharacteristic = "stray-characteristic"
    /// Its user descriptions can be written (R4 table 4-3).
    ///
    /// Race: none; every write of a user description shows it.
    case writableDescriptions = "writable-descriptions"
    /// All Single characteristics have the same user description (R4 4.3.4).
    ///
    /// Race: none; an accessory of several links shows it.
    case sameDescriptions = "same-descriptions"
    /// Several Single characteristics have no user description (R4 4.3.4).
    ///
    /// Race: none; an accessory of several links shows it.
    case undescribedSingles = "undescribed-singles"
    /// The configuration data of every session is published in the first Single characteristic (R4
    /// 4.3.2).
    ///
    /// Race: the second phone's `initialize` and the first phone's read of the characteristic.
    case oneSingleForAll = "one-single-for-all"
    /// The Multiple value counts one message more than it holds (R4 table 4-5).
    ///
    /// Race: none; every read of the value shows it.
    case miscountsConfigurations = "miscounts-configurations"
}
