/// The one of `names` that differs least from `name`; the first of several.
package func nearestName(to name: String, among names: [String]) -> String? {
    names.map { (candidate: $0, distance: editDistance(Array(name.utf8), Array($0.utf8))) }
        .min { $0.distance < $1.distance }?.candidate
}

/// How many bytes must be inserted, removed or replaced to get from one text to the other
/// (Levenshtein's distance, one row at a time).
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, byte) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in right.enumerated() {
            let replaced = diagonal + (byte == other ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}
