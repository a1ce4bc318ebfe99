/// A ZIP archive (PKWARE's APPNOTE 6.3.10) whose files are stored and not compressed: the same files give the
/// same bytes on every machine, and every program for archives opens it.
struct ZipArchive: Equatable {
    /// A file of an archive.
    struct Entry: Equatable {
        let name: String
        let bytes: [UInt8]
    }

    var entries: [Entry] = []

    /// What is wrong with an archive.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private enum Signature {
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

    /// Reads an archive of ours, front to back.
    ///
    /// - Throws: `Failure` where it is none, is cut off or spoilt, or somebody packed it otherwise.
    init(reading bytes: [UInt8]) throws(Failure) {
        var place = 0
        func number(_ offset: Int, _ count: Int) throws(Failure) -> Int {
            guard place + offset + count <= bytes.count else {
                throw Failure(description: "it is cut off at byte \(bytes.count)")
            }
            return (0..<count).reduce(0) { $0 | Int(bytes[place + offset + $1]) << (8 * $1) }
        }
        while try number(0, 4) == Signature.file {
            let (flags, method) = (try number(6, 2), try number(8, 2))
            guard method == 0, flags & ~0x0800 == 0 else {
                throw Failure(
                    description:
                        "it was packed by another program: expected files that are stored, "
                        + "not compressed; unpack it, and name its replay.json")
            }
            let (checksum, count) = (try number(14, 4), try number(22, 4))
            let start = place + 30
            let content = start + (try number(26, 2)) + (try number(28, 2))
            guard content + count <= bytes.count else {
                throw Failure(description: "it is cut off at byte \(bytes.count)")
            }
            let name = String(decoding: bytes[start..<start + (try number(26, 2))], as: UTF8.self)
            let file = Array(bytes[content..<content + count])
            guard CRC32.of(file) == checksum else {
                throw Failure(description: "its \(name) is spoilt: the checksum is another one")
            }
            entries.append(Entry(name: name, bytes: file))
            place = content + count
        }
        guard try number(0, 4) == Signature.directory else {
            throw Failure(description: "there is no file and no directory at byte \(place)")
        }
    }
}

/// The checksum of ZIP and of gzip (ISO 3309).
private enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { rest, _ in
            rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1
        }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        let table = table
        return ~bytes.reduce(~0) { sum, byte in
            sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
