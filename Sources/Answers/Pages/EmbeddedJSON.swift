import Artifacts
import Foundation

/// JSON inside of a script element: nothing in it ends the element, and no text of it steers how a page reads.
enum EmbeddedJSON {
    /// The same document: `<` as an escape, and characters that steer (marks of the direction of writing,
    /// separators of lines) as U+FFFD, as everywhere where a person reads what a device said.
    static func inside(_ json: Data) -> Data {
        var safe: [UInt8] = []
        safe.reserveCapacity(json.count + json.count / 16)
        var rest = json[...]
        while let place = rest.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 >= 0x7F }) {
            safe += rest[..<place]
            if rest[place] == UInt8(ascii: "<") {
                safe += Array("\\u003c".utf8)
                rest = rest[(place + 1)...]
            } else {
                let end = rest[place...].firstIndex { $0 < 0x7F } ?? rest.endIndex
                safe += Array(plain(String(decoding: rest[place..<end], as: UTF8.self)).utf8)
                rest = rest[end...]
            }
        }
        return Data(safe + rest)
    }
}
