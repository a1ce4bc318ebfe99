import Glibc

/// The browser of whoever sits here.
package enum Browser {
    /// Asks the desktop to open a file; returns whether there is a desktop to ask.
    package static func open(_ path: String) -> Bool {
        var process = pid_t()
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(path), nil]
        defer { words.forEach { free($0) } }
        return posix_spawnp(&process, "xdg-open", nil, nil, words, environ) == 0
    }
}
