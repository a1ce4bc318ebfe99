import Promises

/// What has to be shown for a yes, and what makes a no.
package struct ConformanceGate: Sendable {
    /// What has to be put to the test.
    package enum Demand: String, CaseIterable, Sendable {
        /// Nothing in particular: what was never exercised is only told.
        case violations
        /// Each *must* of those who are tested.
        case must
        /// Each clause and each promise; and each topology is played.
        case vacuity
    }

    let demand: Demand
    /// Whether what is only recommended counts like what is demanded.
    let isStrict: Bool
    /// Whose clauses are tested: of the others our own devices are the keepers.
    let keepers: Set<Property.Keeper>

    /// The gate for programs that play one of the sides or both; without any, our own devices are tested.
    package init(
        _ demand: Demand, isStrict: Bool = false, accessory: Bool = false, app: Bool = false
    ) {
        (self.demand, self.isStrict) = (demand, isStrict)
        let ofAccessory: Set<Property.Keeper> = accessory || !app ? [.accessory] : []
        keepers = ofAccessory.union(app || !accessory ? [.link, .app, .appleDevice] : [.link])
    }

    /// Whether it is a no if something of this level is not kept.
    func fails(_ level: Property.Level) -> Bool {
        switch level {
        case .must: true
        case .should: isStrict
        case .may: false
        }
    }

    /// Whether it is no yes if this clause was never exercised.
    func demands(_ clause: Clause) -> Bool {
        switch demand {
        case .violations: false
        case .must: clause.level == .must && keepers.contains(clause.keeper)
        case .vacuity: true
        }
    }
}
