import Bluetooth
import DeviceLink
import HostDoor
import TestSupport
import Testing

/// The UWBS' bytes against Pica's packet description (`src/uci_packets.pdl` of google/pica), field by field.
///
/// A layout names the fields behind the header with their bits, as the description does; a value stands behind each.
struct DescriptionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: String
        let fields: [(name: String, bits: Int, value: UInt64)]
        var testDescription: String { name }

        init(_ name: String, _ bytes: String, _ fields: (String, Int, UInt64)...) {
            self.name = name
            self.bytes = bytes
            self.fields = fields.map { ($0.0, $0.1, $0.2) }
        }
    }

    /// What the UWBS sends when a session runs.
    static let sent = [
        Row("DeviceResetRsp", "40 00 00 01 00", ("status", 8, 0)),
        Row("DeviceStatusNtf", "60 01 00 01 01", ("device_state", 8, 1)),
        Row(
            "GetDeviceInfoRsp", "40 02 00 0A 00 01 10 01 10 01 10 01 10 00",
            ("status", 8, 0), ("uci_version", 16, 0x1001), ("mac_version", 16, 0x1001),
            ("phy_version", 16, 0x1001), ("uci_test_version", 16, 0x1001),
            ("_count_(vendor_spec_info)", 8, 0)),
        Row(
            "SetConfigRsp", "40 04 00 02 00 00", ("status", 8, 0), ("_count_(cfg_status)", 8, 0)),
        Row(
            "GetConfigRsp", "40 05 00 05 00 01 01 01 01",
            ("status", 8, 0), ("_count_(tlvs)", 8, 1), ("cfg_id", 8, 1), ("_count_(v)", 8, 1),
            ("v", 8, 1)),
        Row("SessionInitRsp", "41 00 00 01 00", ("status", 8, 0)),
        Row("SessionDeinitRsp", "41 01 00 01 00", ("status", 8, 0)),
        Row(
            "SessionStatusNtf", "61 02 00 06 01 02 03 04 02 00",
            ("session_token", 32, 0x0403_0201), ("session_state", 8, 2), ("reason_code", 8, 0)),
        Row(
            "SessionSetAppConfigRsp", "41 03 00 04 04 01 04 04",
            ("status", 8, 4), ("_count_(cfg_status)", 8, 1), ("cfg_id", 8, 4), ("status", 8, 4)),
        Row(
            "SessionGetAppConfigRsp", "41 04 00 06 00 01 08 02 60 09",
            ("status", 8, 0), ("_count_(tlvs)", 8, 1), ("cfg_id", 8, 8), ("_count_(v)", 8, 2),
            ("v", 16, 2400)),
        Row("SessionGetCountRsp", "41 05 00 02 00 01", ("status", 8, 0), ("session_count", 8, 1)),
        Row("SessionGetStateRsp", "41 06 00 02 00 02", ("status", 8, 0), ("session_state", 8, 2)),
        Row("SessionStartRsp", "42 00 00 01 00", ("status", 8, 0)),
        Row("SessionStopRsp", "42 01 00 01 00", ("status", 8, 0)),
        Row(
            "SessionGetRangingCountRsp", "42 03 00 05 00 01 00 00 00",
            ("status", 8, 0), ("count", 32, 1)),
        Row(
            "ShortMacTwoWaySessionInfoNtf",
            """
            62 00 00 38 00 00 00 00 01 02 03 04 00 C8 00 00 00 01 00 00 00 00 00 00 00 00 00 00 01
            78 56 00 01 2C 01 80 D3 64 40 0A 64 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            """,
            ("sequence_number", 32, 0), ("session_token", 32, 0x0403_0201),
            ("rcr_indicator", 8, 0), ("current_ranging_interval", 32, 200),
            ("ranging_measurement_type", 8, 1), ("_reserved_", 8, 0),
            ("mac_address_indicator", 8, 0), ("_reserved_", 64, 0),
            ("_count_(two_way_ranging_measurements)", 8, 1),
            // ShortAddressTwoWayRangingMeasurement: 3 m, -89.0° and 20.5° in 1/128 of a degree.
            ("mac_address", 16, 0x5678), ("status", 8, 0), ("nlos", 8, 1), ("distance", 16, 300),
            ("aoa_azimuth", 16, 0x10000 - 89 * 128), ("aoa_azimuth_fom", 8, 100),
            ("aoa_elevation", 16, 20 * 128 + 64), ("aoa_elevation_fom", 8, 100),
            ("aoa_destination_azimuth", 16, 0), ("aoa_destination_azimuth_fom", 8, 0),
            ("aoa_destination_elevation", 16, 0), ("aoa_destination_elevation_fom", 8, 0),
            ("slot_index", 8, 0), ("rssi", 8, 0), ("_reserved_", 64, 0), ("_reserved_", 24, 0)),
        Row("GenericError", "60 07 00 01 0A", ("status", 8, 0x0A)),
    ]

    /// The description's own examples of commands, framed; each with the status that it gets at first.
    static let commands = [
        (name: "DeviceResetCmd", bytes: "20 00 00 01 00", status: 0x00),
        (name: "GetDeviceInfoCmd", bytes: "20 02 00 00", status: 0x00),
        (name: "GetCapsInfoCmd", bytes: "20 03 00 00", status: 0x00),
        // One parameter of type 1 without an octet: low power wants one.
        (name: "SetConfigCmd", bytes: "20 04 00 03 01 01 00", status: 0x04),
        (name: "GetConfigCmd", bytes: "20 05 00 02 01 01", status: 0x00),
        // FIRA_RANGING_AND_IN_BAND_DATA_SESSION, which this UWBS does not have.
        (name: "SessionInitCmd", bytes: "21 00 00 05 01 02 03 04 01", status: 0x04),
        (name: "SessionDeinitCmd", bytes: "21 01 00 04 01 02 03 04", status: 0x11),
        (name: "SessionSetAppConfigCmd", bytes: "21 03 00 05 01 02 03 04 00", status: 0x11),
        (name: "SessionGetAppConfigCmd", bytes: "21 04 00 05 01 02 03 04 00", status: 0x11),
        (name: "SessionGetCountCmd", bytes: "21 05 00 00", status: 0x00),
        (name: "SessionGetStateCmd", bytes: "21 06 00 04 00 01 02 03", status: 0x11),
        (name: "SessionStartCmd", bytes: "22 00 00 04 00 01 02 03", status: 0x11),
        (name: "SessionStopCmd", bytes: "22 01 00 04 00 02 03 04", status: 0x11),
        (name: "SessionGetRangingCountCmd", bytes: "22 03 00 04 00 02 03 04", status: 0x11),
        (name: "CoreQueryTimeStampCmd", bytes: "20 08 00 00", status: 0x08),
        (name: "AndroidSetCountryCodeCmd", bytes: "2C 01 00 02 55 53", status: 0x07),
    ]

    @Test(arguments: sent) func whatIsSentHasTheFieldsOfTheDescription(_ row: Row) throws {
        let octets = bytes(row.bytes.split(separator: "\n").joined(separator: " "))
        var bits = octets.dropFirst(4)
        for field in row.fields {
            let part = bits.prefix(field.bits / 8)
            bits = bits.dropFirst(field.bits / 8)
            #expect(
                part.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } == field.value,
                "\(field.name)")
        }
        #expect(bits.isEmpty)
        #expect(Int(octets[3]) == octets.count - 4)
    }

    /// The rows above are what the UWBS really sends.
    @Test func theUWBSSendsWhatIsChecked() throws {
        var timeline = Timeline()
        let session = "01 02 03 04"
        let lines = [
            "host: 20 00 00 01 00", "host: 20 02 00 00", "host: 20 04 00 01 00",
            "host: 20 05 00 02 01 01", "host: 21 00 00 05 \(session) 00",
            "host: 21 03 00 08 \(session) 01 04 01 07", "host: 21 04 00 06 \(session) 01 08",
            "host: 21 03 00 1C \(session) 07 00 01 00 01 01 02 03 01 00 06 02 34 12 07 02 78 56 11 01 00 22 01 01",
            "host: 22 00 00 04 \(session)", "radio: started 1 0",
            "radio: round 1 3000 mm -89 20.5 hidden", "host: 21 05 00 00",
            "host: 21 06 00 04 \(session)", "host: 22 03 00 04 \(session)",
            "host: 22 01 00 04 \(session)", "host: 22 00 00 04 \(session)",
        ]
        for line in lines + Array(repeating: "host: 21 05 00 00", count: 17) {
            try timeline.play(line)
        }
        for line in ["radio: started 1 1", "host: 21 01 00 04 \(session)"] {
            try timeline.play(line)
        }
        let said = Set(timeline.lines)
        let missing = Self.sent.filter {
            !said.contains("uwbs: " + $0.bytes.split(separator: "\n").joined(separator: " "))
        }
        #expect(missing.map(\.name) == [])
    }

    @Test(arguments: commands)
    func aCommandOfTheDescriptionIsUnderstood(_ row: (name: String, bytes: String, status: Int))
        throws
    {
        var stream = UCIStream()
        stream.append(bytes(row.bytes))
        let command = try #require(try stream.next())
        #expect(command.bytes == bytes(row.bytes))
        var uwbs = VirtualUWBS(options: .init())
        _ = uwbs.takePackets()
        uwbs.receive(command)
        let response = try #require(uwbs.takePackets().first)
        #expect(response.type == .response)
        #expect((response.group, response.opcode) == (command.group, command.opcode))
        #expect(response.payload.first == UInt8(row.status))
    }
}
