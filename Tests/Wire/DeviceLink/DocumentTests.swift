import Basics
import DeviceLink
import Foundation
import TestSupport
import Testing

/// DEVICE-LINK.md shows the bytes of the codec, not others.
@Suite struct DocumentTests {
    /// The fenced blocks of the document, with the words behind their fences.
    private static func blocks() throws -> [(words: [Substring], lines: [Substring])] {
        let parts = try text(of: "Sources/Wire/DeviceLink/DEVICE-LINK.md").split(
            separator: "```", omittingEmptySubsequences: false)
        return parts.indices.filter { !$0.isMultiple(of: 2) }.map { index in
            let lines = parts[index].split(separator: "\n")
            return (lines[0].split(separator: " "), Array(lines.dropFirst()))
        }
    }

    /// The names of the document's examples and the bytes shown for each.
    private static func examples() throws -> [(name: String, bytes: [UInt8])] {
        try blocks().filter { $0.words.first == "hex" && $0.words.last != "conversation" }
            .flatMap { words, lines in
                guard words.count == 1 else {
                    let shown = lines.map { $0.prefix { $0 != ";" } }.joined(separator: " ")
                    return [(String(words[1]), try required(shown))]
                }
                return try lines.map { line in
                    let parts = line.split(separator: " ", maxSplits: 1)
                    return (String(parts[0]), try required(parts[1]))
                }
            }
    }

    private static func required(_ hex: some StringProtocol) throws -> [UInt8] {
        guard let bytes = bytesIfHex(hex) else { throw BadLine(line: String(hex)) }
        return bytes
    }

    @Test func everyExampleIsGolden() throws {
        let golden = try golden()
        for example in try Self.examples() {
            let expected = golden.first { $0.name == example.name }?.bytes
            #expect(hex(example.bytes) == hex(expected ?? []), "\(example.name)")
        }
    }

    @Test func theLimitsAreThoseOfTheCode() throws {
        let section = try #require(
            try text(of: "Sources/Wire/DeviceLink/DEVICE-LINK.md").components(
                separatedBy: "## 15 Limits"
            )
            .last)
        let rows = section.prefix { $0 != "#" }.split(separator: "\n").filter { $0.hasPrefix("| ") }
        let numbers = rows.compactMap { row in
            row.split(separator: "|").last.flatMap { Int($0.replacing(" ", with: "")) }
        }
        #expect(
            numbers == [
                LinkLimits.frame, LinkLimits.answers, LinkLimits.name, LinkLimits.program,
                LinkLimits.reason, LinkLimits.fields, LinkLimits.fieldValue, LinkLimits.waiting,
                LinkLimits.names, LinkLimits.storedPairs, LinkLimits.storedBytes, aclBufferCount,
                aclBufferCount, 256, 256, LinkLimits.uwbSessions, LinkLimits.networkRecord,
                LinkLimits.networkServices, LinkLimits.networkConnections,
                LinkLimits.networkMessages, 100_000,
            ])
    }

    @Test func everyEventAndAnswerHasAnExample() throws {
        let shown = Set(try Self.examples().map(\.name))
        let needed = Set(try golden().map(\.name).filter { !$0.hasPrefix("frame") })
        #expect(needed.subtracting(shown) == [])
    }

    @Test func theConversationIsOneAndItsFramesAreWhole() throws {
        let block = try #require(try Self.blocks().first { $0.words.last == "conversation" })
        var said: [String] = []
        for line in block.lines {
            let bytes = try Self.required(line.dropFirst(2))
            var out: [UInt8] = []
            if line.first == ">" {
                let frame = try #require(try readOrchestrator(bytes))
                try frame.encode(into: &out)
                said.append("> \(frame)".prefix { $0 != "(" }.description)
            } else {
                let frame = try #require(try readDevice(bytes))
                try frame.encode(into: &out)
                said.append("< \(frame)".prefix { $0 != "(" }.description)
            }
            #expect(hex(out) == hex(bytes))
        }
        #expect(
            said == [
                "< hello", "> reset", "< ready", "> grant", "< answers", "> grant", "< answers",
                "> farewell",
            ])
    }

    @Test func theTablesNameEveryTypeWithItsNumber() throws {
        let document = try text(of: "Sources/Wire/DeviceLink/DEVICE-LINK.md")
        for (name, bytes) in try golden() {
            let parts = name.split(separator: ".")
            let type = parts[0] == "frame" ? bytes[4] : bytes[0]
            #expect(document.contains("| `0x\(hex([type]))` | \(parts[1]) |"), "\(name)")
        }
    }

    @Test func theKeyedNumbersAreThoseOfTheReferenceDevices() throws {
        let document = try text(of: "Sources/Wire/DeviceLink/DEVICE-LINK.md")
        let key = Keyed(42)
        for (name, number) in [
            ("key(42)", key), (".with(7)", key.with(7)), (".with(\"dice\")", key.with("dice")),
            (".with(\"dice\").with(0)", key.with("dice").with(0)),
        ] {
            let digits = String(hexadecimal: number.value, digits: 16)
            #expect(document.contains("| \(name) | `\(digits)` |"))
        }
    }
}
