package import DeviceLink

extension World {
    /// A place in a run at which nothing is under way: between two steps.
    package enum Place: Equatable, Sendable {
        /// Before the step of this number; the first one is 1.
        case step(UInt64)
        /// Before the first step at this moment or later.
        case moment(VirtualTime)
        /// Before the next turn of a device.
        case turn(device: Int)
    }

    /// Whether a place lies before the next step; never where there is no next one.
    func isAt(_ place: Place) -> Bool {
        let (eligible, frontier) = state.agenda.eligible()
        guard !eligible.isEmpty else { return false }
        switch place {
        case .step(let number): return state.step + 1 >= number
        case .moment(let moment):
            // Nothing happens behind the frontier: nearly always this is enough to know.
            guard frontier >= moment.nanoseconds else { return false }
            return afterPick.state.now >= moment.nanoseconds
        case .turn(let device):
            guard state.agenda.heads[eligible].contains(where: { $0.device == device }) else {
                return false
            }
            let next = afterPick.outstanding
            return next.indices.contains { next[$0].device == device }
        }
    }

    /// What becomes of the world with its next pick, of which nothing happens here.
    private var afterPick: World {
        var ahead = self
        _ = ahead.pick()
        return ahead
    }
}
