import Foundation

/// What `/proc` says of a process.
package struct ProcessState {
    package let program: String
    package let letter: String
    package let parent: Int32

    package init?(_ pid: Int32) {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: close)...].split(separator: " ")
        guard fields.count > 2, let parent = Int32(fields[1]) else { return nil }
        program = String(text[text.index(after: open)..<close])
        letter = String(fields[0])
        self.parent = parent
    }

    /// Whether it runs; a zombie does not, and is the business of whoever is its parent.
    package var isAlive: Bool { letter != "Z" && letter != "X" }
}

/// Whether any of these runs.
package func isAnyAlive(_ pids: [Int32]) -> Bool {
    pids.contains { ProcessState($0)?.isAlive == true }
}

/// Looks every few milliseconds whether something is so.
package func wait(seconds: Double, until isSo: () -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while !isSo() {
        if Date() > deadline { return false }
        usleep(3_000)
    }
    return true
}
