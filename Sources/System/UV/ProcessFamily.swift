import Glibc

/// This process with all that descend from it, as `/proc` shows them at one moment.
package struct ProcessFamily {
    package struct Member: Equatable, Sendable {
        package let pid: Int32
        /// 0 for this process, 1 for its children.
        package let generation: Int
        /// Whether it runs the same program as this process.
        package let isTool: Bool
        /// Resident memory, in bytes.
        package let memory: Int
        /// How many descriptors it has open.
        package let descriptors: Int
    }

    package let members: [Member]

    /// Who cannot be read any more, because it has just ended, is left out.
    package static func ofThisProcess() -> ProcessFamily {
        let own = getpid()
        let children = Dictionary(
            grouping: numberedEntries(of: "/proc").compactMap { pid in
                parent(of: pid).map { (pid, $0) }
            }, by: \.1)
        var generation = [own]
        var members: [Member] = []
        let program = name(of: own)
        for number in 0... {
            members += generation.sorted().compactMap {
                member($0, generation: number, like: program)
            }
            generation = generation.flatMap { (children[$0] ?? []).map(\.0) }
            if generation.isEmpty { break }
        }
        return ProcessFamily(members: members)
    }

    private static func member(_ pid: Int32, generation: Int, like program: String?) -> Member? {
        guard let words = wholeText("/proc/\(pid)/statm")?.split(separator: " "), words.count > 1,
            let resident = Int(words[1])
        else { return nil }
        return Member(
            pid: pid, generation: generation, isTool: name(of: pid) == program,
            memory: resident * Int(sysconf(Int32(_SC_PAGESIZE))),
            descriptors: numberedEntries(of: "/proc/\(pid)/fd").count)
    }

    /// The name of its program, as far as the kernel keeps it.
    private static func name(of pid: Int32) -> String? {
        wholeText("/proc/\(pid)/comm")
    }
}
