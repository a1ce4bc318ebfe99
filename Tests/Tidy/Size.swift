/// How much somebody has to read at a time, in lines.
enum Size {
    static func ofModules(_ code: [Line]) -> [String: Int] {
        // What stands behind a file's last line end is none.
        code.reduce(into: [:]) { $0[$1.module, default: 0] += $1.number == 1 ? 0 : 1 }
    }

    /// Types with their extensions, in whatever file of a module; what is nested counts as well.
    static func ofTypes(_ code: [Line]) -> [String: Int] {
        let begin = /(?:[\w@()]+ )*?(?:struct|class|enum|actor|protocol|extension) ([\w.]+).*/
        var lines: [String: Int] = [:]
        var open: String?
        for line in code {
            let isFirst = open == nil
            if isFirst, line.code.first?.isLetter == true || line.code.hasPrefix("@") {
                open = line.code.wholeMatch(of: begin).map { "\(line.module).\($0.1)" }
            }
            guard let name = open else { continue }
            lines[name, default: 0] += 1
            if line.code.hasPrefix("}") || isFirst && line.code.hasSuffix("}") { open = nil }
        }
        return lines
    }
}
