import DeviceKit
import Glibc

/// Whether a program can be a guest, as far as its file tells.
enum GuestCheck {
    /// The library that makes it one, which stands beside the door's executable.
    static var library: String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        let path = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let folder = path.prefix(
            path.lastIndex(of: "/").map { path.distance(from: path.startIndex, to: $0) } ?? 0)
        return "\(folder)/libanechoic-guest.so"
    }

    /// - Throws: `Refusal` where the library is missing, or would have no effect on the program.
    static func check(_ path: String) throws(Refusal) {
        guard access(library, R_OK) == 0 else {
            throw Refusal("\(library) is missing, without which no program can be a guest")
        }
        guard let program = find(path) else { return }
        if let reason = reason(against: program, links: 4) {
            throw Refusal(
                "\(path) cannot be a guest in virtual time: \(reason); expected a dynamically linked program "
                    + "of this machine's own kind")
        }
    }

    /// Why a file cannot be a guest; nil where it can, or is none.
    private static func reason(against path: String, links: Int) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        if status.st_mode & S_ISUID != 0, status.st_uid != getuid() {
            return "it runs as another user (setuid), and the system preloads nothing then"
        }
        let head = start(of: path)
        if head.starts(with: Array("#!".utf8)) {
            let line = head.dropFirst(2).prefix { $0 != 0x0A }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard links > 0, var interpreter = words.first.map(String.init) else { return nil }
            if interpreter.hasSuffix("/env"),
                let name = words.dropFirst().first(where: { !$0.hasPrefix("-") })
            {
                interpreter = String(name)
            }
            return find(interpreter).flatMap { reason(against: $0, links: links - 1) }
        }
        return ELF(head).flatMap { $0.reasonAgainst }
    }

    /// The file that a name in a command stands for.
    private static func find(_ name: String) -> String? {
        guard !name.contains("/") else { return name }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first {
            access($0, X_OK) == 0
        }
    }

    private static func start(of path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}

/// What the beginning of an ELF file says (System V Application Binary Interface, chapters 4 and 5).
struct ELF {
    private let bytes: [UInt8]

    /// Nil where it is none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 64, bytes.starts(with: [0x7F] + Array("ELF".utf8)) else { return nil }
        self.bytes = bytes
    }

    var reasonAgainst: String? {
        guard bytes[4] == 2 else { return "it is a 32-bit program" }
        guard number(at: 18, of: 2) == Self.machine else { return "it is for another processor" }
        guard needsLoader else { return "it is statically linked" }
        return nil
    }

    #if arch(x86_64)
        private static let machine = 62
    #else
        private static let machine = 183
    #endif

    /// Whether one of its segments names a loader (PT_INTERP).
    private var needsLoader: Bool {
        let (start, size, count) = (
            number(at: 32, of: 8), number(at: 54, of: 2), number(at: 56, of: 2)
        )
        return (0..<count).contains { number(at: start + $0 * size, of: 4) == 3 }
    }

    private func number(at place: Int, of length: Int) -> Int {
        guard place >= 0, place + length <= bytes.count else { return -1 }
        return bytes[place..<place + length].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
