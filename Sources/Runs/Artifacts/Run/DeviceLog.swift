import Basics
package import DeviceLink
import Foundation

/// What a device has logged in a run, line by line.
package struct DeviceLog {
    package struct Line: Equatable, Sendable {
        /// The end of the microsecond that the line says at its beginning, `[0.812400 s] `, so that it stands behind what it
        /// is about; that of the line before it where it says none.
        package let time: VirtualTime
        package let text: String
    }

    package let lines: [Line]

    /// Reads `logs/NAME.log` in the folder of a run; nothing where the device has logged nothing.
    package init(of device: String, in folder: String) {
        // A trace of somebody else's may call its devices what it likes.
        let name = try? PathName(ofOnePart: device)
        let data = try? name.map { try InputFile.contents("\(folder)/logs/\($0).log") }
        self.init(data.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    package init(_ text: String) {
        var time = VirtualTime.zero
        lines = text.split(whereSeparator: \.isNewline).map { line in
            let (said, rest) = Self.parts(of: line)
            time = said ?? time
            return Line(time: time, text: String(rest))
        }
    }

    /// The last lines that were logged at a time or before it.
    package func last(_ count: Int, until time: VirtualTime) -> [Line] {
        let end = lines.lastIndex { $0.time.nanoseconds / 1_000 <= time.nanoseconds / 1_000 }
        return Array((end.map { lines[...$0] } ?? []).suffix(count))
    }

    /// The time with which a line begins, to the microsecond, and what follows it.
    private static func parts(of line: Substring) -> (VirtualTime?, Substring) {
        guard line.first == "[", let end = line.firstRange(of: " s] ") else { return (nil, line) }
        let number = line[line.index(after: line.startIndex)..<end.lowerBound].split(
            separator: ".", omittingEmptySubsequences: false)
        guard number.count == 2, number[1].count == 6, let seconds = UInt64(number[0]),
            let micros = UInt64(number[1]), seconds < 1 << 33
        else { return (nil, line) }
        let nanoseconds = seconds * 1_000_000_000 + micros * 1_000 + 999
        return (VirtualTime(nanoseconds: nanoseconds), line[end.upperBound...])
    }
}
