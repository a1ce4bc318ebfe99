import Basics
import DeviceLink

/// The running digest of a run: equal digests mean equal runs, step by step.
package struct Digest: Equatable, Sendable {
    private var key = Keyed(0)

    package init() {}

    package var value: UInt64 { key.value }

    /// Sixteen hexadecimal digits.
    package var text: String { String(hexadecimal: value, digits: 16).lowercased() }

    /// Mixes in a number; inlined, because every step does it three times.
    @inline(__always)
    package mutating func mix(_ number: UInt64) { key = key.with(number) }

    package mutating func mix(_ text: String) { key = key.with(text) }

    mutating func mix(_ fields: [Field]) {
        let fields = fields.span
        for place in fields.indices { mix(fields[place]) }
    }

    private mutating func mix(_ field: borrowing Field) {
        key = key.with(field.name).with(value: field.value)
    }
}
