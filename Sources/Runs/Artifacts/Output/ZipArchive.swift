import Foundation

/// A ZIP archive (PKWARE's APPNOTE 6.3.10) whose files are stored and not compressed: the same files give the
/// same bytes on every machine, and every program for archives opens it.
struct ZipArchive: Equatable {
    struct Entry: Equatable {
        let name: String
        let bytes: [UInt8]
    }

    var entries: [Entry] = []

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    fileprivate enum Signature {
        static let file: UInt32 = 0x0403_4B50
        static let directory: UInt32 = 0x0201_4B50
        static let end: UInt32 = 0x0605_4B50
    }

    /// Midnight of 1 January 1980, the earliest that the format has: files of ours have no time.
    private static let date: UInt16 = 0x0021

    /// How an archive begins that is not empty.
    static let magic: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    /// All bytes; each file and all of them have less than 4 GiB.
    var bytes: [UInt8] {
        var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
        for entry in entries {
            let offset = UInt32(truncatingIfNeeded: bytes.count)
            let about = Self.about(entry)
            bytes.append(Signature.file)
            bytes += about + entry.name.utf8 + entry.bytes
            directory.append(Signature.directory)
            directory.append(UInt16(20))
            directory += about
            // No comment, first disk, no attributes.
            directory += [UInt8](repeating: 0, count: 10)
            directory.append(offset)
            directory += entry.name.utf8
        }
        let start = UInt32(truncatingIfNeeded: bytes.count)
        bytes += directory
        bytes.append(Signature.end)
        bytes += [0, 0, 0, 0]
        for _ in 0..<2 { bytes.append(UInt16(truncatingIfNeeded: entries.count)) }
        bytes.append(UInt32(truncatingIfNeeded: directory.count))
        bytes.append(start)
        bytes.append(UInt16(0))
        return bytes
    }

    /// What stands before a file and in the directory alike: version, flags, method, time, checksum, lengths.
    private static func about(_ entry: Entry) -> [UInt8] {
        var bytes: [UInt8] = []
        // Version 2.0, names in UTF-8, stored.
        for number: UInt16 in [20, 0x0800, 0, 0, date] { bytes.append(number) }
        bytes.append(CRC32.of(entry.bytes))
        for _ in 0..<2 { bytes.append(UInt32(truncatingIfNeeded: entry.bytes.count)) }
        bytes.append(UInt16(truncatingIfNeeded: entry.name.utf8.count))
        bytes.append(UInt16(0))
        return bytes
    }

    init(_ entries: [Entry] = []) { self.entries = entries }
}

/// Reads an archive of ours as a stream, front to back: of its files none is in memory as a whole.
struct ZipReader {
    /// A file of an archive, before its content is read.
    struct Entry {
        let name: String
        let checksum: UInt32
        /// In bytes.
        let length: Int
    }

    private let source: ByteSource
    private var chunk = Data()
    private var isOver = false
    private var place = 0

    init(_ source: ByteSource) { self.source = source }

    /// The next file; nil behind the last one.
    ///
    /// - Throws: ``ZipArchive/Failure`` where it is no archive, cut off, or somebody packed it otherwise; `InputError`
    ///   where it cannot be read.
    mutating func next() throws -> Entry? {
        let start = place
        let signature = number(try take(4), 0, 4)
        guard signature == ZipArchive.Signature.file else {
            guard signature == ZipArchive.Signature.directory else {
                throw ZipArchive.Failure(
                    description: "there is no file and no directory at byte \(start)")
            }
            return nil
        }
        let head = try take(26)
        guard number(head, 4, 2) == 0, number(head, 2, 2) & ~0x0800 == 0 else {
            throw ZipArchive.Failure(
                description:
                    "it was packed by another program: expected files that are stored, "
                    + "not compressed; unpack it, and name its replay.json")
        }
        let name = String(decoding: try take(Int(number(head, 22, 2))), as: UTF8.self)
        _ = try take(Int(number(head, 24, 2)))
        return Entry(name: name, checksum: number(head, 10, 4), length: Int(number(head, 18, 4)))
    }

    /// Reads the content of a file, piece by piece, which has to be done before ``next()``.
    ///
    /// - Throws: As ``next()``, also where the content is spoilt; and what `body` throws.
    mutating func read(_ entry: Entry, _ body: (Data) throws -> Void) throws {
        var (left, checksum) = (entry.length, CRC32())
        while left > 0 {
            let piece = try some(atMost: left)
            left -= piece.count
            checksum.take(piece)
            try body(piece)
        }
        guard checksum.value == entry.checksum else {
            throw ZipArchive.Failure(
                description: "its \(plainLine(entry.name)) is spoilt: the checksum is another one")
        }
    }

    /// Bytes that are read together; there are few.
    private mutating func take(_ count: Int) throws -> Data {
        var bytes = Data()
        while bytes.count < count { bytes += try some(atMost: count - bytes.count) }
        return bytes
    }

    private mutating func some(atMost most: Int) throws -> Data {
        if chunk.isEmpty, let more = try source.next() { chunk = more }
        guard !chunk.isEmpty else {
            throw ZipArchive.Failure(description: "it is cut off at byte \(place)")
        }
        let piece = chunk.prefix(most)
        chunk = chunk.dropFirst(piece.count)
        place += piece.count
        return piece
    }

    private func number(_ bytes: Data, _ offset: Int, _ count: Int) -> UInt32 {
        (0..<count).reduce(0) { sum, place in
            sum | UInt32(bytes[bytes.startIndex + offset + place]) << (8 * UInt32(place))
        }
    }
}

/// The checksum of ZIP and of gzip (ISO 3309).
private struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { rest, _ in
            rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1
        }
    }

    private let table = Self.table
    private var sum: UInt32 = ~0

    var value: UInt32 { ~sum }

    mutating func take(_ bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { bytes in
            table.withUnsafeBufferPointer { table in
                for byte in bytes {
                    sum = sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
                }
            }
        }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum = CRC32()
        checksum.take(bytes)
        return checksum.value
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
