import Bluetooth
import HostDoor
import TestSupport
import Testing

/// Whole conversations, as firmware's middleware has them.
///
/// Names in comments are those of Pica's packet description.
struct SessionTests {
    /// A host that has a session, 42, with all that it needs.
    static let configured = """
        uwbs: 60 01 00 01 01                                    ; DeviceStatusNtf: READY
        host: 21 00 00 05 2A 00 00 00 00                        ; SessionInitCmd: FIRA_RANGING_SESSION
        uwbs: 41 00 00 01 00                                    ; SessionInitRsp
        uwbs: 61 02 00 06 2A 00 00 00 00 00                     ; SessionStatusNtf: INIT
        host: 21 03 00 3B 2A 00 00 00 0E 00 01 00 01 01 02 03 01 00 04 01 09 06 02 34 12 07 02 78 56 08 02 10 0E 09 04 C6 00 00 00 11 01 00 14 01 0B 1B 01 06 22 01 01 27 02 4C 00 28 06 01 02 03 04 05 06
        uwbs: 41 03 00 02 00 00                                 ; SessionSetAppConfigRsp
        uwbs: 61 02 00 06 2A 00 00 00 03 00                     ; SessionStatusNtf: IDLE

        """

    /// The same, and ranging.
    static let active =
        configured + """
            host: 22 00 00 04 2A 00 00 00                       ; SessionStartCmd
            asks: start 1 id 42 as responder 4660 with 22136 channel 9 preamble 11 iv 01 02 03 04 05 06 slots 6 of 3600 every 198
            radio: started 1 0
            uwbs: 42 00 00 01 00                                ; SessionStartRsp
            uwbs: 61 02 00 06 2A 00 00 00 02 00                 ; SessionStatusNtf: ACTIVE
            uwbs: 60 01 00 01 02                                ; DeviceStatusNtf: ACTIVE

            """

    @Test func aSessionThatThePeerEndsInBandIsIdle() throws {
        let difference = try Timeline.difference(
            Self.active + """
                radio: ended 1
                uwbs: 61 02 00 06 2A 00 00 00 03 05             ; SessionStatusNtf: IDLE, SESSION_STOPPED_DUE_TO_INBAND_SIGNAL
                uwbs: 60 01 00 01 01                            ; DeviceStatusNtf: READY
                asks: stop 1
                """)
        #expect(difference == nil)
    }

    @Test func aSessionRunsFromResetToStop() throws {
        let difference = try Timeline.difference(
            """
            uwbs: 60 01 00 01 01                                ; DeviceStatusNtf: READY, at power on
            host: 20 00 00 01 00                                ; DeviceResetCmd
            uwbs: 40 00 00 01 00                                ; DeviceResetRsp
            uwbs: 60 01 00 01 01                                ; DeviceStatusNtf: READY
            host: 20 02 00 00                                   ; GetDeviceInfoCmd
            uwbs: 40 02 00 0A 00 01 10 01 10 01 10 01 10 00     ; GetDeviceInfoRsp: 1.1 each
            host: 20 03 00 00                                   ; GetCapsInfoCmd
            uwbs: 40 03 00 3B 00 11 00 04 01 01 01 01 01 04 01 01 01 01 02 01 03 03 01 1E 04 01 01 05 01 03 06 01 02 07 01 02 08 01 00 09 01 00 0A 01 00 0B 01 FF 0C 01 0A 0D 01 01 0E 01 3F 10 01 0D 11 01 00
            host: 20 04 00 04 01 01 01 00                       ; SetConfigCmd: LOW_POWER_MODE off
            uwbs: 40 04 00 02 00 00                             ; SetConfigRsp
            host: 20 05 00 02 01 01                             ; GetConfigCmd
            uwbs: 40 05 00 05 00 01 01 01 00                    ; GetConfigRsp
            """
                + Self.active.drop { $0 != "\n" } + """
                    radio: round 1 2504 mm 30.5 -10 in sight
                    uwbs: 62 00 00 38 00 00 00 00 2A 00 00 00 00 C6 00 00 00 01 00 00 00 00 00 00 00 00 00 00 01 78 56 00 00 FA 00 40 0F 64 00 FB 64 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
                    radio: round 1 2506 mm none none hidden
                    uwbs: 62 00 00 38 01 00 00 00 2A 00 00 00 00 C6 00 00 00 01 00 00 00 00 00 00 00 00 00 00 01 78 56 00 01 FB 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
                    radio: round 1 missed
                    uwbs: 62 00 00 38 02 00 00 00 2A 00 00 00 00 C6 00 00 00 01 00 00 00 00 00 00 00 00 00 00 01 78 56 21 FF FF FF 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
                    host: 22 03 00 04 2A 00 00 00               ; SessionGetRangingCountCmd
                    uwbs: 42 03 00 05 00 03 00 00 00            ; SessionGetRangingCountRsp
                    host: 22 01 00 04 2A 00 00 00               ; SessionStopCmd
                    uwbs: 42 01 00 01 00                        ; SessionStopRsp
                    uwbs: 61 02 00 06 2A 00 00 00 03 00         ; SessionStatusNtf: IDLE
                    uwbs: 60 01 00 01 01                        ; DeviceStatusNtf: READY
                    asks: stop 1
                    host: 21 01 00 04 2A 00 00 00               ; SessionDeinitCmd
                    uwbs: 41 01 00 01 00                        ; SessionDeinitRsp
                    uwbs: 61 02 00 06 2A 00 00 00 01 00         ; SessionStatusNtf: DEINIT
                    """)
        #expect(difference == nil)
    }

    @Test func aStartThatTheRadioRefusesIsRefusedAndTheSessionStaysIdle() throws {
        let difference = try Timeline.difference(
            Self.configured + """
                host: 22 00 00 04 2A 00 00 00
                asks: start 1 id 42 as responder 4660 with 22136 channel 9 preamble 11 iv 01 02 03 04 05 06 slots 6 of 3600 every 198
                radio: started 1 1
                uwbs: 42 00 00 01 01                            ; SessionStartRsp: REJECTED
                says: UCI: SESSION_START is answered with 0x01, REJECTED
                host: 21 06 00 04 2A 00 00 00                   ; SessionGetStateCmd
                uwbs: 41 06 00 02 00 03                         ; SessionGetStateRsp: IDLE
                host: 22 01 00 04 2A 00 00 00                   ; SessionStopCmd
                uwbs: 42 01 00 01 01                            ; SessionStopRsp: REJECTED
                says: UCI: SESSION_STOP is answered with 0x01, REJECTED
                """)
        #expect(difference == nil)
    }

    @Test func whatComesBeforeTheRadioAnswersWaitsForItsTurn() throws {
        let difference = try Timeline.difference(
            Self.configured + """
                host: 22 00 00 04 2A 00 00 00
                asks: start 1 id 42 as responder 4660 with 22136 channel 9 preamble 11 iv 01 02 03 04 05 06 slots 6 of 3600 every 198
                host: 22 01 00 04 2A 00 00 00 21 05 00 00       ; SessionStopCmd, SessionGetCountCmd
                radio: started 1 0
                uwbs: 42 00 00 01 00                            ; SessionStartRsp
                uwbs: 61 02 00 06 2A 00 00 00 02 00             ; SessionStatusNtf: ACTIVE
                uwbs: 60 01 00 01 02                            ; DeviceStatusNtf: ACTIVE
                uwbs: 42 01 00 01 00                            ; SessionStopRsp
                uwbs: 61 02 00 06 2A 00 00 00 03 00             ; SessionStatusNtf: IDLE
                uwbs: 60 01 00 01 01                            ; DeviceStatusNtf: READY
                uwbs: 41 05 00 02 00 01                         ; SessionGetCountRsp
                asks: stop 1
                """)
        #expect(difference == nil)
    }

    @Test func aHostThatDoesNotWaitForTheRadioIsToldToTryAgain() throws {
        var timeline = Timeline()
        for line in Timeline.steps(of: Self.configured) { try timeline.play(line) }
        try timeline.play("host: 22 00 00 04 2A 00 00 00")
        for _ in 0..<16 { try timeline.play("host: 21 05 00 00") }
        #expect(timeline.lines.last == "host: 21 05 00 00")
        try timeline.play("host: 21 05 00 00")
        // GenericError: COMMAND_RETRY.
        #expect(timeline.lines.dropLast().last == "uwbs: 60 07 00 01 0A")
        try timeline.play("radio: started 1 1")
        #expect(timeline.lines.count { $0 == "uwbs: 41 05 00 02 00 01" } == 16)
    }

    @Test func aSessionWithoutItsConfigurationIsNotStarted() throws {
        let difference = try Timeline.difference(
            """
            uwbs: 60 01 00 01 01
            host: 21 00 00 05 2A 00 00 00 00
            uwbs: 41 00 00 01 00
            uwbs: 61 02 00 06 2A 00 00 00 00 00
            host: 22 00 00 04 2A 00 00 00
            uwbs: 42 00 00 01 15                                ; SESSION_NOT_CONFIGURED
            says: UCI: SESSION_START is answered with 0x15, SESSION_NOT_CONFIGURED
            host: 21 03 00 0B 2A 00 00 00 02 00 01 01 11 01 01  ; DEVICE_TYPE, DEVICE_ROLE; the rest comes later
            uwbs: 41 03 00 02 00 00
            host: 21 06 00 04 2A 00 00 00
            uwbs: 41 06 00 02 00 00                             ; still INIT
            host: 21 03 00 16 2A 00 00 00 05 01 01 02 03 01 00 06 02 34 12 07 02 78 56 22 01 01
            uwbs: 41 03 00 02 00 00
            uwbs: 61 02 00 06 2A 00 00 00 03 00                 ; IDLE
            host: 22 00 00 04 2A 00 00 00
            asks: start 1 id 42 as initiator 4660 with 22136 channel 9 preamble 10 iv 00 00 00 00 00 00 slots 25 of 2400 every 200
            """)
        #expect(difference == nil)
    }

    @Test func aWrongConfigurationIsRefusedPartByPart() throws {
        let difference = try Timeline.difference(
            Self.configured + """
                host: 21 03 00 11 2A 00 00 00 04 04 01 07 02 01 01 26 01 02 14 01 0C    ; channel 7, dynamic STS, extended addresses
                uwbs: 41 03 00 08 04 03 04 04 02 04 26 04       ; INVALID_PARAM, each
                says: UCI: the UWBS cannot set parameter 0x04, CHANNEL_NUMBER, to 07
                says: UCI: the UWBS cannot set parameter 0x02, STS_CONFIG, to 01
                says: UCI: the UWBS cannot set parameter 0x26, MAC_ADDRESS_MODE, to 02
                says: UCI: SESSION_SET_APP_CONFIG is answered with 0x04, INVALID_PARAM
                host: 21 04 00 07 2A 00 00 00 02 04 14          ; SessionGetAppConfigCmd
                uwbs: 41 04 00 08 00 02 04 01 09 14 01 0C       ; the channel is as before, the preamble is set
                host: 21 03 00 0A 2A 00 00 00 01 06 03 01 02 03 ; an address of three octets
                uwbs: 41 03 00 04 04 01 06 04
                says: UCI: the UWBS cannot set parameter 0x06, DEVICE_MAC_ADDRESS, to 010203
                """)
        #expect(difference == nil)
    }

    @Test func whatMeansNothingToTheAirIsReadBack() throws {
        let difference = try Timeline.difference(
            Self.configured + """
                host: 21 03 00 0D 2A 00 00 00 02 15 01 02 E8 03 01 02 03    ; SFD_ID, and one of a vendor
                uwbs: 41 03 00 02 00 00
                host: 21 04 00 08 2A 00 00 00 03 E8 27 28       ; and the two parts of static STS
                uwbs: 41 04 00 13 00 03 E8 03 01 02 03 27 02 4C 00 28 06 01 02 03 04 05 06
                host: 21 04 00 06 2A 00 00 00 01 16             ; PSDU_DATA_RATE was not set
                uwbs: 41 04 00 04 04 01 16 00
                says: UCI: SESSION_GET_APP_CONFIG is answered with 0x04, INVALID_PARAM
                """)
        #expect(difference == nil)
    }

    @Test func whileASessionRangesOnlyItsReportsMayChange() throws {
        let difference = try Timeline.difference(
            Self.active + """
                host: 21 03 00 08 2A 00 00 00 01 04 01 05       ; CHANNEL_NUMBER
                uwbs: 41 03 00 04 13 01 04 13                   ; SESSION_ACTIVE
                says: UCI: SESSION_SET_APP_CONFIG is answered with 0x13, SESSION_ACTIVE
                host: 21 03 00 08 2A 00 00 00 01 0E 01 00       ; RNG_DATA_NTF off
                uwbs: 41 03 00 02 00 00
                radio: round 1 missed
                host: 22 03 00 04 2A 00 00 00
                uwbs: 42 03 00 05 00 01 00 00 00                ; it was counted, and not told
                host: 22 00 00 04 2A 00 00 00
                uwbs: 42 00 00 01 13
                says: UCI: SESSION_START is answered with 0x13, SESSION_ACTIVE
                """)
        #expect(difference == nil)
    }

    @Test func aSessionIsThereOnceAndThereAreNoMoreThanFit() throws {
        var options = VirtualUWBS.Options()
        options.sessions = 2
        let difference = try Timeline.difference(
            """
            uwbs: 60 01 00 01 01
            host: 21 00 00 05 2A 00 00 00 00
            uwbs: 41 00 00 01 00
            uwbs: 61 02 00 06 2A 00 00 00 00 00
            host: 21 00 00 05 2A 00 00 00 00
            uwbs: 41 00 00 01 12                                ; SESSION_DUPLICATE
            says: UCI: SESSION_INIT is answered with 0x12, SESSION_DUPLICATE
            host: 21 00 00 05 2B 00 00 00 00
            uwbs: 41 00 00 01 00
            uwbs: 61 02 00 06 2B 00 00 00 00 00
            host: 21 00 00 05 2C 00 00 00 00
            uwbs: 41 00 00 01 14                                ; MAX_SESSIONS_EXCEEDED
            says: UCI: SESSION_INIT is answered with 0x14, MAX_SESSIONS_EXCEEDED
            host: 21 00 00 05 2D 00 00 00 A0
            uwbs: 41 00 00 01 04                                ; CCC
            says: UCI: SESSION_INIT is answered with 0x04, INVALID_PARAM
            host: 21 05 00 00
            uwbs: 41 05 00 02 00 02
            """, options: options)
        #expect(difference == nil)
    }

    @Test func aSessionThatIsNotThereIsRefusedByEveryCommand() throws {
        let difference = try Timeline.difference(
            """
            uwbs: 60 01 00 01 01
            host: 21 01 00 04 2A 00 00 00
            uwbs: 41 01 00 01 11
            says: UCI: SESSION_DEINIT is answered with 0x11, SESSION_NOT_EXIST
            host: 21 03 00 05 2A 00 00 00 00
            uwbs: 41 03 00 02 11 00
            says: UCI: SESSION_SET_APP_CONFIG is answered with 0x11, SESSION_NOT_EXIST
            host: 21 04 00 05 2A 00 00 00 00
            uwbs: 41 04 00 02 11 00
            says: UCI: SESSION_GET_APP_CONFIG is answered with 0x11, SESSION_NOT_EXIST
            host: 21 06 00 04 2A 00 00 00
            uwbs: 41 06 00 02 11 01                             ; DEINIT
            says: UCI: SESSION_GET_STATE is answered with 0x11, SESSION_NOT_EXIST
            host: 22 00 00 04 2A 00 00 00
            uwbs: 42 00 00 01 11
            says: UCI: SESSION_START is answered with 0x11, SESSION_NOT_EXIST
            host: 22 01 00 04 2A 00 00 00
            uwbs: 42 01 00 01 11
            says: UCI: SESSION_STOP is answered with 0x11, SESSION_NOT_EXIST
            host: 22 03 00 04 2A 00 00 00
            uwbs: 42 03 00 05 11 00 00 00 00
            says: UCI: SESSION_GET_RANGING_COUNT is answered with 0x11, SESSION_NOT_EXIST
            """)
        #expect(difference == nil)
    }

    @Test func aSessionOfUCI2IsNamedByItsHandle() throws {
        var options = VirtualUWBS.Options()
        options.hasSessionHandles = true
        let difference = try Timeline.difference(
            """
            uwbs: 60 01 00 01 01
            host: 20 02 00 00
            uwbs: 40 02 00 0A 00 02 00 02 00 02 00 01 10 00     ; GetDeviceInfoRsp: 2.0
            host: 21 00 00 05 2A 00 00 00 00
            uwbs: 41 00 00 05 00 01 00 00 00                    ; SessionInitRsp_V2: handle 1
            uwbs: 61 02 00 06 01 00 00 00 00 00
            host: 21 06 00 04 2A 00 00 00
            uwbs: 41 06 00 02 11 01
            says: UCI: SESSION_GET_STATE is answered with 0x11, SESSION_NOT_EXIST
            host: 21 06 00 04 01 00 00 00
            uwbs: 41 06 00 02 00 00
            host: 21 00 00 05 2A 00 00 00 00
            uwbs: 41 00 00 05 12 00 00 00 00
            says: UCI: SESSION_INIT is answered with 0x12, SESSION_DUPLICATE
            host: 21 01 00 04 01 00 00 00
            uwbs: 41 01 00 01 00
            uwbs: 61 02 00 06 01 00 00 00 01 00
            host: 21 00 00 05 2A 00 00 00 00
            uwbs: 41 00 00 05 00 02 00 00 00
            uwbs: 61 02 00 06 02 00 00 00 00 00
            """, options: options)
        #expect(difference == nil)
    }

    @Test func aSessionEndsAfterAsManyRoundsOrMissesAsWereWanted() throws {
        let ntf = "2A 00 00 00 00 C6 00 00 00 01 00 00 00 00 00 00 00 00 00 00 01 78 56"
        let rest = String(repeating: " 00", count: 25)
        let start = Self.active.split(separator: "\n").suffix(6).joined(separator: "\n")
        let difference = try Timeline.difference(
            Self.configured + """
                host: 21 03 00 0D 2A 00 00 00 02 2A 02 02 00 32 02 03 00    ; MAX_RR_RETRY 2, MAX_NUMBER_OF_MEASUREMENTS 3
                uwbs: 41 03 00 02 00 00

                """ + start + """

                    radio: round 1 missed
                    uwbs: 62 00 00 38 00 00 00 00 \(ntf) 21 FF FF FF\(rest)
                    radio: round 1 missed
                    uwbs: 62 00 00 38 01 00 00 00 \(ntf) 21 FF FF FF\(rest)
                    uwbs: 61 02 00 06 2A 00 00 00 03 01         ; MAX_RANGING_ROUND_RETRY_COUNT_REACHED
                    uwbs: 60 01 00 01 01
                    asks: stop 1

                    """ + start + """

                    radio: round 1 missed
                    uwbs: 62 00 00 38 02 00 00 00 \(ntf) 21 FF FF FF\(rest)
                    radio: round 1 10 mm none none in sight
                    uwbs: 62 00 00 38 03 00 00 00 \(ntf) 00 00 01 00\(rest)
                    radio: round 1 missed
                    uwbs: 62 00 00 38 04 00 00 00 \(ntf) 21 FF FF FF\(rest)
                    uwbs: 61 02 00 06 2A 00 00 00 03 02         ; MAX_NUMBER_OF_MEASUREMENTS_REACHED
                    uwbs: 60 01 00 01 01
                    asks: stop 1
                    radio: round 1 missed
                    """)
        #expect(difference == nil)
    }

    @Test func aResetEndsWhatRanges() throws {
        let difference = try Timeline.difference(
            Self.active + """
                host: 20 00 00 01 00
                uwbs: 40 00 00 01 00
                uwbs: 60 01 00 01 01
                asks: stop 1
                host: 21 05 00 00
                uwbs: 41 05 00 02 00 00
                """)
        #expect(difference == nil)
    }

    @Test func aSessionThatRangesIsStoppedWhereItIsGivenUp() throws {
        let difference = try Timeline.difference(
            Self.active + """
                host: 21 01 00 04 2A 00 00 00
                uwbs: 41 01 00 01 00
                uwbs: 61 02 00 06 2A 00 00 00 01 00
                uwbs: 60 01 00 01 01
                asks: stop 1
                host: 22 01 00 04 2A 00 00 00
                uwbs: 42 01 00 01 11
                says: UCI: SESSION_STOP is answered with 0x11, SESSION_NOT_EXIST
                """)
        #expect(difference == nil)
    }

    @Test func whatIsNotThereAndWhatIsCutOffHaveAStatusEach() throws {
        let difference = try Timeline.difference(
            """
            uwbs: 60 01 00 01 01
            host: 2C 00 00 00                                   ; AndroidGetPowerStatsCmd
            uwbs: 4C 00 00 01 07                                ; UNKNOWN_GID
            says: UCI: the UWBS has no command with group 12 and opcode 0; the answer is 0x07, UNKNOWN_GID
            host: 20 08 00 00                                   ; CoreQueryTimeStampCmd
            uwbs: 40 08 00 01 08                                ; UNKNOWN_OID
            says: UCI: the UWBS has no command with group 0 and opcode 8; the answer is 0x08, UNKNOWN_OID
            host: 20 08 00 00
            uwbs: 40 08 00 01 08                                ; which is remarked on once
            host: 21 00 00 04 2A 00 00 00                       ; no session type
            uwbs: 41 00 00 01 03                                ; SYNTAX_ERROR
            says: UCI: SESSION_INIT is answered with 0x03, SYNTAX_ERROR
            host: 20 04 00 07 02 00 01 01 09 01 00              ; DEVICE_STATE, and a parameter that is not there
            uwbs: 40 04 00 06 04 02 00 09 09 04                 ; READ_ONLY, INVALID_PARAM
            says: UCI: CORE_SET_CONFIG is answered with 0x04, INVALID_PARAM
            host: 20 05 00 03 02 00 09
            uwbs: 40 05 00 04 04 01 09 00
            says: UCI: CORE_GET_CONFIG is answered with 0x04, INVALID_PARAM
            host: 40 00 00 01 00                                ; a response
            says: UCI: a host sends commands, and no response; it is ignored
            """)
        #expect(difference == nil)
    }

    /// Each octet of what the host sends is something else once: every command that is left gets its one response.
    @Test func whateverAnOctetIsChangedToEachCommandIsAnsweredOnce() throws {
        let steps = Timeline.steps(of: Self.active).filter { !$0.hasPrefix("uwbs:") }
        for (place, step) in steps.enumerated() where step.hasPrefix("host:") {
            let octets = bytes(step.dropFirst(5).filter { $0 != " " })
            for (index, octet) in octets.enumerated() {
                for change: UInt8 in [0x01, 0x04, 0x10, 0x40, 0x80, 0xFF] {
                    var other = octets
                    other[index] = octet ^ change
                    var changed = steps
                    changed[place] = "host: " + Timeline.hex(other)
                    var timeline = Timeline()
                    // Where nothing can be read any more, the host is cut off.
                    do { for step in changed { try timeline.play(step) } } catch is MalformedBytes {
                    }
                    let commands = timeline.packets.count { $0.type == .command }
                    let responses = timeline.packets.count { $0.type == .response }
                    let isStarting = timeline.lines.last?.hasPrefix("asks: start") == true
                    #expect(responses == commands - (isStarting ? 1 : 0), "\(changed[place])")
                }
            }
        }
    }

    @Test func whatIsPlayedOtherwiseIsFound() throws {
        #expect(try Timeline.difference("uwbs: 60 01 00 01 02") != nil)
        #expect(try Timeline.difference("uwbs: 60 01 00 01 01\nsays: more") != nil)
        #expect(try Timeline.difference("") != nil)
    }
}
