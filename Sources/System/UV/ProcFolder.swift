import Glibc

func wholeText(_ path: String) -> String? {
    wholeFile(path).map { String(decoding: $0, as: UTF8.self) }
}

/// All bytes of a file of `/proc`, whose size nobody knows beforehand; nil where it cannot be read or is
/// empty.
func wholeFile(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    while true {
        let chunk = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, buffer.count))
        }
        guard !chunk.isEmpty else { return bytes.isEmpty ? nil : bytes }
        bytes += chunk
    }
}

/// The fields of `/proc/PID/stat` behind the name of the program, which stands in parentheses and may hold anything:
/// `PID (NAME) STATE PARENT …`; nil where the text is none.
func statusFields(_ text: String) -> [Substring]? {
    guard let nameEnd = text.lastIndex(of: ")") else { return nil }
    return text[text.index(after: nameEnd)...].split(separator: " ", maxSplits: 13)
}

/// The parent of a process; nil where it is gone.
func parent(of pid: Int32) -> Int32? {
    guard let fields = wholeText("/proc/\(pid)/stat").flatMap(statusFields), fields.count > 1
    else { return nil }
    return Int32(fields[1])
}

/// The entries of a folder whose names are numbers: processes or threads in `/proc`.
func numberedEntries(of path: String) -> [Int32] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var numbers: [Int32] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if let number = Int32(name) { numbers.append(number) }
    }
    return numbers
}
