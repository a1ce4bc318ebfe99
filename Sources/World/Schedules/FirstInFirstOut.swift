package import Choices

/// The plain scheduler: what can happen first does, at once.
package struct FirstInFirstOut: Scheduler {
    package let isPlain = true

    package init() {}

    package mutating func pick(
        among heads: inout [Head], eligible: Range<Int>, drawing decisions: inout Decisions
    ) -> Int { eligible.lowerBound }

    package mutating func delay(
        of head: Head, room: UInt64, drawing decisions: inout Decisions
    ) -> UInt64 { 0 }
}
