package import Artifacts
package import Campaigns

/// A lot as a worker gets it.
package struct SoakLot: Codable, TopologyTask {
    package let arm: SoakArm
    package let lot: Lot
    /// Whether the device processes of earlier lots are to be replaced first.
    package let renewsDevices: Bool

    package var document: TopologyDocument { lot.document }

    init(_ lot: Lot, of arm: SoakArm, renewsDevices: Bool) {
        (self.arm, self.lot, self.renewsDevices) = (arm, lot, renewsDevices)
    }
}
