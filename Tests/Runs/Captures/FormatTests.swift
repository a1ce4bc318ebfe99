import Captures
import TestSupport
import Testing

/// The formats of captures: what is in them, and what is said where they are spoilt.
@Suite struct FormatTests {
    static let formats: [(name: String, bytes: [UInt8])] = [
        ("btsnoop", Story.btsnoop), ("pcapng", Story.pcapng),
        ("PacketLogger", Story.packetLogger(isBigEndian: true)),
        ("PacketLogger", Story.packetLogger(isBigEndian: false)),
    ]

    @Test(arguments: formats.indices)
    func everyFormatTellsTheSameStory(_ place: Int) throws {
        let (name, bytes) = Self.formats[place]
        let head = Array(bytes.prefix(CaptureFile.headLength))
        #expect(CaptureFile.format(of: head)?.rawValue == name)
        #expect(try Story.trace(bytes) == Story.told)
    }

    @Test(arguments: [
        "{\"schema\":1,\"topology\":", "", "btsnoop", "\u{0}\u{0}\u{0}\u{0}aaaaaaaaaaaa",
    ])
    func whatIsNoCaptureIsNone(_ text: String) {
        #expect(CaptureFile.format(of: Array(text.utf8)) == nil)
    }

    /// Wherever a capture is cut there is a whole beginning of the story, or one error that says where.
    @Test(arguments: formats.indices)
    func aCutCaptureSaysWhereItIsCut(_ place: Int) throws {
        let bytes = Self.formats[place].bytes
        var errors = 0
        for end in CaptureFile.headLength..<bytes.count {
            do throws(CaptureError) {
                let lines = try Story.trace(Array(bytes[..<end]))
                #expect(Story.told.starts(with: lines.dropLast()))
            } catch {
                errors += 1
                #expect(error.offset <= end)
                #expect(error.description.hasPrefix("expected "))
            }
        }
        // All but where a record ends.
        #expect(errors > (bytes.count - CaptureFile.headLength) * 3 / 4)
    }

    @Test(arguments: formats.indices)
    func whateverAByteIsChangedToIsReadOrRefused(_ place: Int) {
        for index in Self.formats[place].bytes.indices {
            for value: UInt8 in [0x00, 0x01, 0x7F, 0x80, 0xFF] {
                var bytes = Self.formats[place].bytes
                bytes[index] = value
                do throws(CaptureError) { _ = try Story.trace(bytes) } catch {
                    #expect(!error.expected.isEmpty)
                }
            }
        }
    }

    @Test func anErrorNamesPlaceAndExpectation() {
        var version = Story.btsnoop
        version[11] = 2
        #expect(message(version) == "expected version 1 of btsnoop at byte 8")
        var link = Story.btsnoop
        link[15] = 0
        #expect(
            message(link)
                == "expected link type 1001, 1002 (HCI) or 2001 (Linux' monitor), not 768 at byte 12"
        )
        var included = Story.btsnoop
        included[23] = 200
        #expect(message(included) == "expected an included length up to 10 at byte 20")
        var short = Story.btsnoop
        // The command says that it has seven bytes of parameters.
        short[43] = 7
        #expect(
            message(short) == "expected 7 bytes, as its length says, not 6 at byte 4 of packet 1")
        var magic = Story.pcapng
        magic[8] = 0
        #expect(message(magic) == "expected the byte-order magic 1A2B3C4D at byte 8")
    }

    private func message(_ bytes: [UInt8]) -> String? {
        do throws(CaptureError) {
            _ = try Story.trace(bytes)
            return nil
        } catch { return error.description }
    }
}
