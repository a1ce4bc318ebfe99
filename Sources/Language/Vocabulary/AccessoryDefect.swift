/// A bug that accessories in the field had, to be switched on by name.
///
/// A defect changes the code path as the field bug did. It draws nothing, reads no schedule and emits no
/// observation that the healthy accessory would not; where the bug is a race, the two events that race
/// are named, and their order stays the scheduler's choice.
package enum AccessoryDefect: String, CaseIterable, Sendable {
    case reusedConfiguration = "reused-configuration"
    case stopAnswersDidStart = "stop-answers-did-start"
    case ignoresInitializeWhileRanging = "ignores-initialize-while-ranging"
    case silentRejection = "silent-rejection"
    case lostRequest = "lost-request"
    case rangesAfterDisconnect = "ranges-after-disconnect"
    case advertisesOnce = "advertises-once"
    case didStartWithoutRadio = "did-start-without-radio"
    case doubleDidStart = "double-did-start"
    case replayedStart = "replayed-start"
    case stopAcknowledgedThoughRunning = "stop-acknowledged-though-running"
    case configurationErasedAfterStart = "configuration-erased-after-start"
    case unencryptedConfiguration = "unencrypted-configuration"
    case badSupervision = "bad-supervision"
    case notifiesWrongLink = "notifies-wrong-link"
    case stopStopsEveryone = "stop-stops-everyone"
    case doubleConfiguration = "double-configuration"
    case didStopAtInitialize = "did-stop-at-initialize"
    case miscountsText = "miscounts-text"
    case bigEndianVersion = "big-endian-version"
    case reservedUpdateRate = "reserved-update-rate"
    case fillsReservedBytes = "fills-reserved-bytes"
    case padsConfiguration = "pads-configuration"
    case noUWBData = "no-uwb-data"
    case rangesUnasked = "ranges-unasked"
    case swapsAddressOctets = "swaps-address-octets"
    case reordersSessionID = "reorders-session-id"
    case secondServiceInstance = "second-service-instance"
    case unreadableService = "unreadable-service"
    case multipleOnly = "multiple-only"
    case notifyingConfiguration = "notifying-configuration"
    case strayCharacteristic = "stray-characteristic"
    case writableDescriptions = "writable-descriptions"
    case sameDescriptions = "same-descriptions"
    case undescribedSingles = "undescribed-singles"
    case oneSingleForAll = "one-single-for-all"
    case miscountsConfigurations = "miscounts-configurations"
    case corruptsSTSIV = "corrupts-sts-iv"
    case wrongChannel = "wrong-channel"
    case wrongPreamble = "wrong-preamble"
    case wrongSlots = "wrong-slots"
    case wrongSlotDuration = "wrong-slot-duration"
    case wrongInterval = "wrong-interval"
    case wrongDestination = "wrong-destination"
    case wrongRole = "wrong-role"
    case keepsOldAddress = "keeps-old-address"
    case goesDeaf = "goes-deaf"
    case rangesForNobody = "ranges-for-nobody"
    case hangsAfterError = "hangs-after-error"
    case deadAfterMalformed = "dead-after-malformed"
    case silentFirstInitialize = "silent-first-initialize"
    case repeatsAfterRestart = "repeats-after-restart"
    case wrongVersion = "wrong-version"
    case countsOneTooFew = "counts-one-too-few"
    case noService = "no-service"
    case secondaryService = "secondary-service"
    case wrongServiceUUID = "wrong-service-uuid"
    case staleConfiguration = "stale-configuration"
    case emptyConfiguration = "empty-configuration"
    case oneSingleDeclared = "one-single-declared"
    case leaksSingle = "leaks-single"
    case leaksMultiple = "leaks-multiple"
    case leaksSingleDescriptions = "leaks-single-descriptions"
    case leaksMultipleDescriptions = "leaks-multiple-descriptions"
    case unreadableSingleDescriptions = "unreadable-single-descriptions"
    case unreadableMultipleDescriptions = "unreadable-multiple-descriptions"
    case writableSecondDescription = "writable-second-description"
    case writableMultipleDescriptions = "writable-multiple-descriptions"
    case writableSingle = "writable-single"
    case noReadOfSingle = "no-read-of-single"
    case noReadOfMultiple = "no-read-of-multiple"
    case notifyingMultiple = "notifying-multiple"
    case wrongMultipleUUID = "wrong-multiple-uuid"
    case otherDescriptor = "other-descriptor"
    case undescribedMultiples = "undescribed-multiples"
    case sameMultipleDescriptions = "same-multiple-descriptions"
    case noDescriptorDiscovery = "no-descriptor-discovery"
    case omitsLengths = "omits-lengths"
    case padsMultiple = "pads-multiple"
    case staleMultiple = "stale-multiple"
    case eightReservedBytes = "eight-reserved-bytes"
    case forgetsBond = "forgets-bond"
    case movesServicesSilently = "moves-services-silently"
}

extension AccessoryDefect {
    private typealias Race = Catalogue.Race

    /// What it does, in a sentence.
    package var explanation: String { row.explanation }

    /// The two sides of its race; nil where its order does not matter, or nothing is known of it.
    package var race: Catalogue.Race? { row.race }

    private var row: (explanation: String, race: Catalogue.Race?) {
        switch self {
        // Every `initialize` is answered with the configuration data of the first one, as a firmware does
        // that populates it once; the handshake succeeds and nothing ranges (R4 3.4.1).
        case .reusedConfiguration:
            ("Every initialize is answered with the configuration data of the first one.", nil)
        // The stop path notifies `accessoryUwbDidStart` (copy and paste).
        case .stopAnswersDidStart:
            (
                "The stop path notifies accessoryUwbDidStart.",
                Race(
                    one: Race.rangingBegins, other: ["msg.stop", "fault"] + Race.suspension)
            )
        // An `initialize` that comes while a session runs is ignored, and the phone waits.
        case .ignoresInitializeWhileRanging:
            (
                "An initialize that comes while a session runs gets no answer.",
                Race(
                    one: ["msg.initialize", "fault"],
                    other: ["msg.stop", "msg.malformed", "uwb.stopped"])
            )
        // A `configureAndStart` that the middleware rejects is logged and never answered.
        case .silentRejection:
            ("A configureAndStart that the middleware rejects gets no answer.", nil)
        // The receive path has room for one message; one that arrives while it is occupied is dropped.
        case .lostRequest:
            (
                "There is room for one message: one that arrives while another is handled is dropped.",
                Race(
                    one: ["msg", "fault"], other: ["timer handling", "connection event"])
            )
        // A disconnect resets the bookkeeping only: the radio ranges on and its handle is lost.
        case .rangesAfterDisconnect:
            (
                "A disconnect resets the bookkeeping only; the radio ranges on.",
                Race(one: Race.linkEnds, other: Race.rangingBegins + ["msg.stop"])
            )
        // Advertising is started at power-on only, never after a connection or a disconnect.
        case .advertisesOnce:
            (
                "Advertising is started at power-on only, never again after a connection or disconnect.",
                Race(one: Race.linkEnds, other: ["air.connecting", "air.connected"])
            )
        // `accessoryUwbDidStart` is sent when the middleware accepted the shareable data, and what becomes
        // of the start is ignored.
        case .didStartWithoutRadio:
            (
                "accessoryUwbDidStart is sent when the middleware accepted; a failed start is ignored.",
                Race(
                    one: ["msg.accessoryUwbDidStart"], other: ["uwb.refused"])
            )
        // `accessoryUwbDidStart` is sent by an unconditional block after every start: a second time when
        // it succeeded, and also when it failed.
        case .doubleDidStart: ("accessoryUwbDidStart is sent once more after every start.", nil)
        // `configureAndStart` is carried out in any state; the handle of a running session is overwritten
        // and that session ranges on.
        case .replayedStart:
            (
                "configureAndStart is carried out in any state; a running session ranges on unowned.",
                Race(one: ["msg.configureAndStart"], other: ["msg.initialize"])
            )
        // A stop is answered by `accessoryUwbDidStop` although stopping failed and the radio ranges on.
        case .stopAcknowledgedThoughRunning:
            (
                "A stop is answered by accessoryUwbDidStop but the radio ranges on.",
                Race(
                    one: Race.rangingBegins, other: ["msg.stop", "fault"] + Race.suspension)
            )
        // The value of the Nearby Interaction Service is blanked (50 zero bytes) as soon as ranging was
        // asked for.
        case .configurationErasedAfterStart:
            (
                "The Nearby Interaction Service's value is blanked as soon as ranging was asked for.",
                Race(
                    one: ["gatt.configuration"], other: ["msg.configureAndStart"])
            )
        // The Nearby Interaction Service can be read on a link that is not encrypted (R4 table 4-3).
        case .unencryptedConfiguration:
            (
                "The Nearby Interaction Service can be read without encryption.",
                Race(
                    one: ["gatt.configuration"], other: ["link.encrypted"])
            )
        // Asks for 25–250 ms, latency 6 and a supervision timeout of 16 s, which breaks Apple's rule
        // (QA1931: at most 6 s), and ends the link when refused for the second time.
        case .badSupervision:
            (
                "Asks for a supervision timeout of 16 s and ends the link when refused twice.",
                Race(one: ["link.updated"], other: Race.rangingBegins)
            )
        // Every notification goes to the phone that connected last.
        case .notifiesWrongLink:
            (
                "Every notification goes to the phone that connected last.",
                Race(
                    one: ["link.up", "air.connected"], other: ["msg"])
            )
        // A stop from one phone ends the ranging of all, and only that phone is notified.
        case .stopStopsEveryone:
            (
                "A stop from one phone ends the ranging of all, and the other phones hear nothing.",
                Race(one: ["msg.stop"], other: Race.rangingBegins)
            )
        // Configuration data is sent twice, lest a notification be lost.
        case .doubleConfiguration:
            (
                "Configuration data is sent twice.",
                Race(
                    one: ["ni.run"], other: ["msg.accessoryConfigurationData"])
            )
        // `initialize` runs the stop path, which answers by `accessoryUwbDidStop`, too.
        case .didStopAtInitialize: ("initialize is answered by accessoryUwbDidStop, too.", nil)
        // The length in `iOSNotify` is one too many: a terminating zero is counted and not sent.
        case .miscountsText: ("The length in iOSNotify is one too many.", nil)
        // The version in configuration data is sent high octet first (R4 2.4.1).
        case .bigEndianVersion: ("The version in configuration data is sent high octet first.", nil)
        // The preferred update rate is 15, which is reserved (R4 3.4.3.1).
        case .reservedUpdateRate: ("The preferred update rate is 15, which is reserved.", nil)
        // The ten bytes for future use hold what was in memory (R4 3.4.2).
        case .fillsReservedBytes: ("The ten bytes for future use hold what was in memory.", nil)
        // Configuration data is sent with its buffer of 64 bytes, zeros at its end.
        case .padsConfiguration:
            ("Configuration data is sent with its buffer of 64 bytes, zeros at its end.", nil)
        // Configuration data goes out without UWBConfigData, which the middleware had not given yet.
        case .noUWBData: ("Configuration data goes out without UWBConfigData.", nil)
        // The radio is started as soon as configuration data is made, with parameters of its own, so that
        // it is warm when the phone's come; nobody stops it.
        case .rangesUnasked:
            (
                "The radio is started as soon as configuration data is made, with parameters of its own.",
                nil
            )
        // The radio gets the announced short address with its octets swapped.
        case .swapsAddressOctets:
            ("The radio gets the announced address with its octets swapped.", nil)
        // The session id in shareable data is turned round before the middleware gets it (R4 3.5.1).
        case .reordersSessionID:
            ("The session id in shareable data is turned round before the middleware gets it.", nil)
        // It is declared twice, first without characteristics (R4 4.1).
        case .secondServiceInstance:
            (
                "The Nearby Interaction Service is declared twice, first without characteristics.",
                nil
            )
        // Its values and descriptions cannot be read at all, on no link (R4 4.1, 4.2.3).
        case .unreadableService:
            (
                "Values and descriptions of the Nearby Interaction Service cannot be read at all.",
                nil
            )
        // The Single characteristics are in the service of the messages; it has the Multiple one alone (R4
        // 4.3.3).
        case .multipleOnly:
            ("The Single characteristics are not in the Nearby Interaction Service.", nil)
        // Single Configuration Data has the property Notify (R4 table 4-3).
        case .notifyingConfiguration: ("Single Configuration Data has the property Notify.", nil)
        // It has a characteristic of the vendor's (R4 table 4-4).
        case .strayCharacteristic:
            ("The Nearby Interaction Service has a characteristic of the vendor's.", nil)
        // Its user descriptions can be written (R4 table 4-3).
        case .writableDescriptions:
            ("User descriptions of the Nearby Interaction Service can be written.", nil)
        // All Single characteristics have the same user description (R4 4.3.4).
        case .sameDescriptions: ("All Single characteristics have the same user description.", nil)
        // Several Single characteristics have no user description (R4 4.3.4).
        case .undescribedSingles: ("Several Single characteristics have no user description.", nil)
        // The configuration data of every session is published in the first Single characteristic (R4
        // 4.3.2).
        case .oneSingleForAll:
            (
                "The configuration data of every session is published in the first Single characteristic.",
                Race(one: ["gatt.configuration"], other: ["msg.initialize"])
            )
        // The Multiple value counts one message more than it holds (R4 table 4-5).
        case .miscountsConfigurations:
            ("The Multiple value counts one message more than it holds.", nil)
        case .corruptsSTSIV:
            (
                "The STS initialisation vector gets to the radio with its bytes the other way round.",
                nil
            )
        case .wrongChannel:
            ("The radio starts on channel 5, whatever was chosen.", nil)
        case .wrongPreamble:
            ("The radio starts with preamble code 9, whatever was chosen.", nil)
        case .wrongSlots: ("The radio starts with one slot more in a round than was chosen.", nil)
        case .wrongSlotDuration:
            ("The radio starts with a slot duration of 2400 RSTU, whatever was chosen.", nil)
        case .wrongInterval:
            ("The radio starts with the ranging interval of its own settings, 200 ms.", nil)
        case .wrongDestination:
            ("The radio ranges with the Apple device's address with its octets swapped.", nil)
        case .wrongRole:
            ("The radio takes the other role in a round than configuration data announced.", nil)
        case .keepsOldAddress:
            ("The radio keeps the address of the first session, whatever is announced.", nil)
        // There is no timeout: the radio asks for ever, and the battery is empty in the morning.
        case .rangesForNobody:
            ("Its radio goes on for ever though no round measures anything.", nil)
        case .goesDeaf:
            ("Once the radio is on, no message is taken any more, and the radio ranges on.", nil)
        case .hangsAfterError: ("After a start that failed nothing more is answered.", nil)
        case .deadAfterMalformed:
            ("After a message that it cannot read nothing more is answered.", nil)
        case .silentFirstInitialize: ("The first initialize after power-on gets no answer.", nil)
        case .repeatsAfterRestart:
            ("After a restart configuration data begins with the same bytes again.", nil)
        case .wrongVersion: ("Configuration data says version 1.1, which R4 does not know.", nil)
        case .countsOneTooFew: ("UWBConfigDataLength is one too small.", nil)
        case .noService: ("The accessory has no Nearby Interaction Service.", nil)
        case .secondaryService:
            ("The Nearby Interaction Service is declared as a secondary one.", nil)
        case .wrongServiceUUID:
            ("The Nearby Interaction Service has a wrong last byte in its UUID.", nil)
        case .staleConfiguration: ("The Single value stays that of the first session.", nil)
        case .emptyConfiguration: ("The Single value stays empty.", nil)
        case .oneSingleDeclared:
            ("There is one Single characteristic, however many sessions there can be.", nil)
        case .leaksSingle: ("The second Single value can be read on an open link.", nil)
        case .leaksMultiple: ("The Multiple value can be read on an open link.", nil)
        case .leaksSingleDescriptions:
            ("User descriptions of Single characteristics can be read on an open link.", nil)
        case .leaksMultipleDescriptions:
            ("User descriptions of Multiple characteristics can be read on an open link.", nil)
        case .unreadableSingleDescriptions:
            ("User descriptions of Single characteristics cannot be read.", nil)
        case .unreadableMultipleDescriptions:
            ("User descriptions of Multiple characteristics cannot be read.", nil)
        case .writableSecondDescription:
            ("The user description of the second Single characteristic can be written.", nil)
        case .writableMultipleDescriptions:
            ("User descriptions of Multiple characteristics can be written.", nil)
        case .writableSingle: ("A Single value can be written, though it does not say so.", nil)
        case .noReadOfSingle: ("Single Configuration Data does not have the property Read.", nil)
        case .noReadOfMultiple:
            ("Multiple Configuration Data does not have the property Read.", nil)
        case .notifyingMultiple: ("Multiple Configuration Data has the property Notify.", nil)
        case .wrongMultipleUUID:
            ("Multiple Configuration Data has a wrong last byte in its UUID.", nil)
        case .otherDescriptor:
            ("Single characteristics have a presentation format (0x2904) for a description.", nil)
        case .undescribedMultiples:
            ("Several Multiple characteristics have no user description.", nil)
        case .sameMultipleDescriptions:
            ("All Multiple characteristics have the same user description.", nil)
        case .noDescriptorDiscovery: ("A request to find descriptors is refused.", nil)
        case .omitsLengths: ("The Multiple value has its messages without their lengths.", nil)
        case .padsMultiple: ("The Multiple value has four zeros behind its last message.", nil)
        case .staleMultiple: ("The Multiple value keeps the first message of each session.", nil)
        // The bond is kept in RAM, which a firmware clears with the connection.
        case .forgetsBond: ("The keys of a pairing are forgotten when the link ends.", nil)
        // An update of the firmware, after which phones write to handles that mean something else.
        case .movesServicesSilently:
            ("A restart gives the attributes other handles, and no bonded phone is told.", nil)
        case .eightReservedBytes: ("Configuration data has eight reserved bytes, not ten.", nil)
        }
    }
}
