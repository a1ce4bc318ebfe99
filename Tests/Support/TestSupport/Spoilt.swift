package import DeviceLink

/// One to three changes: another byte, a number of another size, a part omitted, or twice.
package func spoilt(_ text: String, _ key: Keyed) -> [UInt8] {
    var bytes = Array(text.utf8)
    for change in 0...key.below(3) {
        let key = key.with(change)
        func below(_ bound: Int, _ what: String) -> Int {
            Int(key.with(what).below(UInt64(bound)))
        }
        let place = below(bytes.count, "place")
        let end = min(bytes.count, place + 1 + below(12, "length"))
        switch below(5, "what") {
        case 0: bytes[place] = UInt8(below(256, "byte"))
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default:
            let numbers = ["-1", "0", "9223372036854775807", "18446744073709551615", "1e300"]
            let digits = bytes.indices.filter { isDigit(bytes[$0]) }
            guard !digits.isEmpty else { continue }
            let digit = digits[below(digits.count, "digit")]
            var (first, last) = (digit, digit)
            while first > 0, isDigit(bytes[first - 1]) { first -= 1 }
            while last + 1 < bytes.count, isDigit(bytes[last + 1]) { last += 1 }
            bytes.replaceSubrange(
                first...last, with: numbers[below(numbers.count, "number")].utf8)
        }
    }
    return bytes
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }
