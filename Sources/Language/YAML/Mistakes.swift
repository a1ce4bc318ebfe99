/// The mistakes that were found in a document so far: an author sees all of them at once.
///
/// What cannot be read is skipped, and reading goes on behind it.
package struct Mistakes: Sendable {
    private var found: [Problem] = []

    package init() {}

    /// What `read` makes of a part of the document; nil where that has a mistake, which is kept.
    @discardableResult
    package mutating func attempt<Value>(_ read: () throws(Problem) -> Value) -> Value? {
        do throws(Problem) {
            return try read()
        } catch {
            add(error)
            return nil
        }
    }

    /// Keeps a mistake, and those that came with it.
    package mutating func add(_ problem: Problem) { found += [problem] + problem.others }

    package mutating func add(_ others: Mistakes) { found += others.found }

    package var count: Int { found.count }

    package var isEmpty: Bool { found.isEmpty }

    /// Throws all mistakes, those that stand first in the file before the others.
    package func check() throws(Problem) {
        let sorted = found.enumerated().sorted { left, right in
            let (one, other) = (left.element.position, right.element.position)
            return (one?.line ?? 0, one?.column ?? 0, left.offset)
                < (other?.line ?? 0, other?.column ?? 0, right.offset)
        }.map { mistake in
            var alone = mistake.element
            alone.others = []
            return alone
        }
        guard var first = sorted.first else { return }
        first.others = Array(sorted.dropFirst())
        throw first
    }
}
