package import Foundation

package struct InputError: Error, Equatable, CustomStringConvertible {
    /// The sentence for the user: which file, why, and what was expected.
    package let description: String

    /// A refusal of the system; `code` is its errno.
    init(_ path: String, code: Int32, expected: String? = nil) {
        description =
            "\(path): cannot be read: \(String(cString: strerror(code)))"
            + (expected.map { "; expected \($0)" } ?? "")
    }
}

/// Reading files, with a sentence where that fails.
package enum InputFile {
    /// All of a file; `expected` says in an error what it should have been.
    package static func contents(
        _ path: String, expected: String? = nil
    ) throws(InputError) -> Data {
        let file = try ByteSource(path, expected: expected)
        var data = Data()
        while let chunk = try file.next() { data += chunk }
        return data
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether a folder stands there, or a link to one.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// What a folder has, by name; nothing where there is no such folder.
    static func names(in folder: String) throws(InputError) -> [String] {
        guard isFolder(folder) else { return [] }
        errno = 0
        do { return try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch {
            throw InputError(folder, code: errno == 0 ? EIO : errno)
        }
    }

    /// A JSON document; `name` says in an error what it should have been: `a replay.json`.
    ///
    /// - Throws: `InputError` where the file cannot be read, ``Replay/ReadError`` where it is another document.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from path: String, as name: String, expected: String? = nil
    ) throws -> Value {
        let data = try contents(path, expected: expected)
        do { return try JSONDecoder().decode(type, from: data) } catch let error as DecodingError {
            let advice = expected.map { "; expected \($0)" } ?? ""
            throw Replay.ReadError("\(path): not \(name): \(plainLine(error.sentence))\(advice)")
        }
    }
}

/// A file that is read from front to back, piece by piece.
final class ByteSource {
    private let path: String
    private let expected: String?
    private let descriptor: Int32

    /// Opens a file; `expected` says in an error what it should have been.
    init(_ path: String, expected: String? = nil) throws(InputError) {
        (self.path, self.expected) = (path, expected)
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw InputError(path, code: errno, expected: expected) }
    }

    deinit { close(descriptor) }

    /// The next 64 KB, or what there is; nil at the end.
    func next() throws(InputError) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            if count >= 0 { return count == 0 ? nil : Data(bytes[..<count]) }
            if errno != EINTR { throw InputError(path, code: errno, expected: expected) }
        }
    }
}
