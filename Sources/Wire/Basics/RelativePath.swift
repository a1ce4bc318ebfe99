/// A path without `.`, and without the parts that `..` takes back: `a/b/../c` is `a/c`.
///
/// A relative one may still begin with `..`. Goes by the words alone: where a part is a symbolic link, its `..` may
/// be elsewhere.
package func tidyPath(_ path: String) -> String {
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    var parts: [String] = []
    for part in pathParts(path) where part != "." {
        if part == "..", let last = parts.last, last != ".." {
            parts.removeLast()
        } else if part != ".." || !isAbsolute {
            parts.append(part)
        }
    }
    let words = parts.joined(separator: "/")
    return isAbsolute ? "/" + words : words.isEmpty ? "." : words
}

/// A tidy path of a program: with a slash in it, because a name without one is looked for in `PATH`.
package func programPath(_ path: String) -> String {
    let path = tidyPath(path)
    return path.utf8.contains(UInt8(ascii: "/")) ? path : "./" + path
}

/// The way from one folder to another, both absolute: `../build`; `.` where they are the same.
package func way(from one: String, to other: String) -> String {
    let (start, end) = (pathParts(tidyPath(one)), pathParts(tidyPath(other)))
    let common = zip(start, end).prefix { $0 == $1 }.count
    let parts = start.dropFirst(common).map { _ in ".." } + end.dropFirst(common)
    return parts.isEmpty ? "." : parts.joined(separator: "/")
}

/// The parts of a path between its slashes.
///
/// By bytes, because a character may be a slash and what combines with it.
package func pathParts(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
}
