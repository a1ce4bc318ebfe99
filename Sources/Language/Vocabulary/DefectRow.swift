/// The row of a defect: what it does, and which two sides race in it.
package struct DefectRow: ExpressibleByStringLiteral, Sendable {
    let explanation: String
    /// The two sides of its race; nil where its order does not matter, or nothing is known of it.
    let race: Catalogue.Race?

    init(_ explanation: String, one: [String], other: [String]) {
        self.explanation = explanation
        race = Catalogue.Race(one: one, other: other)
    }

    package init(stringLiteral explanation: String) {
        self.explanation = explanation
        race = nil
    }
}

/// The defects of a kind of device; the raw value is the name that a file has.
package protocol DefectName: CaseIterable, RawRepresentable<String>, Sendable {
    var row: DefectRow { get }
}

extension DefectName {
    package var explanation: String { row.explanation }
    package var race: Catalogue.Race? { row.race }

    static var terms: [Catalogue.Term] {
        allCases.map { Catalogue.Term(name: $0.rawValue, explanation: $0.explanation) }
    }
}
