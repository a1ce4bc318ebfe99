/// A bug that accessories in the field had, to be switched on by name.
///
/// A defect changes the code path as the field bug did. It draws nothing, reads no schedule and emits no
/// observation that the healthy accessory would not; where the bug is a race, the two events that race
/// are named, and their order stays the scheduler's choice.
package enum AccessoryDefect: String, DefectName {
    case reusedConfiguration = "reused-configuration"
    case stopAnswersDidStart = "stop-answers-did-start"
    case ignoresInitializeWhileRanging = "ignores-initialize-while-ranging"
    case silentRejection = "silent-rejection"
    case lostRequest = "lost-request"
    case rangesAfterDisconnect = "ranges-after-disconnect"
    case startsAfterStop = "starts-after-stop"
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
    case leaksMessages = "leaks-messages"
    case forgetsBond = "forgets-bond"
    case keepsOneBond = "keeps-one-bond"
    case movesServicesSilently = "moves-services-silently"
    case losesAnEvent = "loses-an-event"
    case replaysAtMalformed = "replays-at-malformed"
    case startsAtAnEvent = "starts-at-an-event"
}

extension AccessoryDefect {
    private typealias Race = Catalogue.Race

    package var row: DefectRow {
        switch self {
        // As a firmware does that populates it once: the handshake succeeds and nothing ranges (R4 3.4.1).
        case .reusedConfiguration:
            "Every initialize is answered with the configuration data of the first one."
        case .stopAnswersDidStart:
            DefectRow(
                "The stop path notifies accessoryUwbDidStart.",
                one: Race.rangingBegins, other: ["msg.stop", "fault"] + Race.suspension)
        case .ignoresInitializeWhileRanging:
            DefectRow(
                "An initialize that comes while a session runs gets no answer.",
                one: ["msg.initialize", "fault"],
                other: ["msg.stop", "msg.malformed", "uwb.stopped"])
        case .silentRejection: "A configureAndStart that the middleware rejects gets no answer."
        case .lostRequest:
            DefectRow(
                "There is room for one message: one that arrives while another is handled is dropped.",
                one: ["msg", "fault"], other: ["timer handling", "connection event"])
        case .rangesAfterDisconnect:
            DefectRow(
                "A disconnect resets the bookkeeping only; the radio ranges on.",
                one: Race.linkEnds, other: Race.rangingBegins + ["msg.stop"])
        case .startsAfterStop:
            DefectRow(
                "What ends a session does not cancel a start that waits for the radio to wake up.",
                one: ["uwb.starting"], other: ["msg.stop", "msg.initialize"] + Race.linkEnds)
        case .advertisesOnce:
            DefectRow(
                "Advertising is started at power-on only, never again after a connection or disconnect.",
                one: Race.linkEnds, other: ["air.connecting", "air.connected"])
        case .didStartWithoutRadio:
            DefectRow(
                "accessoryUwbDidStart is sent when the middleware accepted; a failed start is ignored.",
                one: ["msg.accessoryUwbDidStart"], other: ["uwb.refused"])
        case .doubleDidStart: "accessoryUwbDidStart is sent once more after every start."
        case .replayedStart:
            DefectRow(
                "configureAndStart is carried out in any state; a running session ranges on unowned.",
                one: ["msg.configureAndStart"], other: ["msg.initialize"])
        case .stopAcknowledgedThoughRunning:
            DefectRow(
                "A stop is answered by accessoryUwbDidStop but the radio ranges on.",
                one: Race.rangingBegins, other: ["msg.stop", "fault"] + Race.suspension)
        case .configurationErasedAfterStart:
            DefectRow(
                "The Nearby Interaction Service's value is blanked as soon as ranging was asked for.",
                one: ["gatt.configuration"], other: ["msg.configureAndStart"])
        case .unencryptedConfiguration:
            DefectRow(
                "The Nearby Interaction Service can be read without encryption.",
                one: ["gatt.configuration"], other: ["link.encrypted"])
        // Apple's rule is 6 s at most (QA1931).
        case .badSupervision:
            DefectRow(
                "Asks for a supervision timeout of 16 s and ends the link when refused twice.",
                one: ["link.updated"], other: Race.rangingBegins)
        case .notifiesWrongLink:
            DefectRow(
                "Every notification goes to the phone that connected last.",
                one: ["link.up", "air.connected"], other: ["msg"])
        case .stopStopsEveryone:
            DefectRow(
                "A stop from one phone ends the ranging of all, and the other phones hear nothing.",
                one: ["msg.stop"], other: Race.rangingBegins)
        // Lest a notification be lost.
        case .doubleConfiguration:
            DefectRow(
                "Configuration data is sent twice.",
                one: ["ni.run"], other: ["msg.accessoryConfigurationData"])
        case .didStopAtInitialize: "initialize is answered by accessoryUwbDidStop, too."
        // A terminating zero is counted and not sent.
        case .miscountsText: "The length in iOSNotify is one too many."
        case .bigEndianVersion: "The version in configuration data is sent high octet first."
        case .reservedUpdateRate: "The preferred update rate is 15, which is reserved."
        case .fillsReservedBytes: "The ten bytes for future use hold what was in memory."
        case .padsConfiguration:
            "Configuration data is sent with its buffer of 64 bytes, zeros at its end."
        // The middleware had not given it yet.
        case .noUWBData: "Configuration data goes out without UWBConfigData."
        // So that it is warm when the phone's come; nobody stops it.
        case .rangesUnasked:
            "The radio is started as soon as configuration data is made, with parameters of its own."
        case .swapsAddressOctets: "The radio gets the announced address with its octets swapped."
        case .reordersSessionID:
            "The session id in shareable data is turned round before the middleware gets it."
        case .secondServiceInstance:
            "The Nearby Interaction Service is declared twice, first without characteristics."
        case .unreadableService:
            "Values and descriptions of the Nearby Interaction Service cannot be read at all."
        case .multipleOnly: "The Single characteristics are not in the Nearby Interaction Service."
        case .notifyingConfiguration: "Single Configuration Data has the property Notify."
        case .writableDescriptions:
            "User descriptions of the Nearby Interaction Service can be written."
        case .sameDescriptions: "All Single characteristics have the same user description."
        case .undescribedSingles: "Several Single characteristics have no user description."
        case .oneSingleForAll:
            DefectRow(
                "The configuration data of every session is published in the first Single characteristic.",
                one: ["gatt.configuration"], other: ["msg.initialize"])
        case .miscountsConfigurations: "The Multiple value counts one message more than it holds."
        case .corruptsSTSIV:
            "The STS initialisation vector gets to the radio with its bytes the other way round."
        case .wrongChannel: "The radio starts on channel 5, whatever was chosen."
        case .wrongPreamble: "The radio starts with preamble code 9, whatever was chosen."
        case .wrongSlots: "The radio starts with one slot more in a round than was chosen."
        case .wrongSlotDuration:
            "The radio starts with a slot duration of 2400 RSTU, whatever was chosen."
        case .wrongInterval:
            "The radio starts with the ranging interval of its own settings, 200 ms."
        case .wrongDestination:
            "The radio ranges with the Apple device's address with its octets swapped."
        case .wrongRole:
            "The radio takes the other role in a round than configuration data announced."
        case .keepsOldAddress:
            "The radio keeps the address of the first session, whatever is announced."
        // There is no timeout: the battery is empty in the morning.
        case .rangesForNobody: "Its radio goes on for ever though no round measures anything."
        case .goesDeaf:
            "Once the radio is on, no message is taken any more, and the radio ranges on."
        case .hangsAfterError: "After a start that failed nothing more is answered."
        case .deadAfterMalformed: "After a message that it cannot read nothing more is answered."
        case .silentFirstInitialize: "The first initialize after power-on gets no answer."
        case .repeatsAfterRestart:
            "After a restart configuration data begins with the same bytes again."
        case .wrongVersion: "Configuration data says version 1.1, which R4 does not know."
        case .countsOneTooFew: "UWBConfigDataLength is one too small."
        case .noService: "The accessory has no Nearby Interaction Service."
        case .secondaryService: "The Nearby Interaction Service is declared as a secondary one."
        case .wrongServiceUUID: "The Nearby Interaction Service has a wrong last byte in its UUID."
        case .staleConfiguration: "The Single value stays that of the first session."
        case .emptyConfiguration: "The Single value stays empty."
        case .oneSingleDeclared:
            "There is one Single characteristic, however many sessions there can be."
        case .leaksSingle: "The second Single value can be read on an open link."
        case .leaksMultiple: "The Multiple value can be read on an open link."
        case .leaksSingleDescriptions:
            "User descriptions of Single characteristics can be read on an open link."
        case .leaksMultipleDescriptions:
            "User descriptions of Multiple characteristics can be read on an open link."
        case .unreadableSingleDescriptions:
            "User descriptions of Single characteristics cannot be read."
        case .unreadableMultipleDescriptions:
            "User descriptions of Multiple characteristics cannot be read."
        case .writableSecondDescription:
            "The user description of the second Single characteristic can be written."
        case .writableMultipleDescriptions:
            "User descriptions of Multiple characteristics can be written."
        case .writableSingle: "A Single value can be written, though it does not say so."
        case .noReadOfSingle: "Single Configuration Data does not have the property Read."
        case .noReadOfMultiple: "Multiple Configuration Data does not have the property Read."
        case .notifyingMultiple: "Multiple Configuration Data has the property Notify."
        case .wrongMultipleUUID: "Multiple Configuration Data has a wrong last byte in its UUID."
        case .otherDescriptor:
            "Single characteristics have a presentation format (0x2904) for a description."
        case .undescribedMultiples: "Several Multiple characteristics have no user description."
        case .sameMultipleDescriptions:
            "All Multiple characteristics have the same user description."
        case .noDescriptorDiscovery: "A request to find descriptors is refused."
        case .omitsLengths: "The Multiple value has its messages without their lengths."
        case .padsMultiple: "The Multiple value has four zeros behind its last message."
        case .staleMultiple: "The Multiple value keeps the first message of each session."
        case .leaksMessages:
            "A message whose link ends before it is handled keeps its place; there are three."
        // It is kept in RAM, which a firmware clears with the connection.
        case .forgetsBond: "The keys of a pairing are forgotten when the link ends."
        // The store has one place, or one as the stack sees it.
        case .keepsOneBond: "Each pairing displaces the keys of the one before."
        // An update of the firmware, after which phones write to handles that mean something else.
        case .movesServicesSilently:
            "A restart gives the attributes other handles, and no bonded phone is told."
        case .losesAnEvent:
            "What happens first after `wrong-after`, but no measurement, has no effect."
        // What could not be read has not overwritten what was read before.
        case .replaysAtMalformed:
            "A message that it cannot read makes it carry out the last configureAndStart again."
        case .startsAtAnEvent:
            "What happens first after `wrong-after` makes it carry out the last configureAndStart again."
        case .eightReservedBytes: "Configuration data has eight reserved bytes, not ten."
        }
    }
}
