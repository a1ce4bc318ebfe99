// Inlined, because what is generic is not specialised across modules otherwise.
extension Array {
    /// Removes the last `count` elements one by one, which is cheaper than all at once where they are few,
    /// and keeps the memory.
    @inlinable
    package mutating func removeFew(_ count: Int) {
        for _ in 0..<count { removeLast() }
    }

    /// Removes all of few elements.
    @inlinable
    package mutating func removeFew() { removeFew(count) }
}
