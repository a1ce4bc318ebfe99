package import Orchestration

/// Lots that ended their worker: they are played again one run at a time, until it is known which run it was.
package struct CrashedLots {
    private var singles: [Lot] = []
    private var pieces: [Int: LotPieces] = [:]

    package init() {}

    /// The next single run; nil where there is none.
    package mutating func next() -> Lot? { singles.popLast() }

    /// Takes what came of a lot, or of a single run of one.
    ///
    /// - Returns: A whole lot with its result; nil where some of its runs are still to be played.
    package mutating func take(
        _ result: Result<LotResult, WorkerDied>, of lot: Lot, with settings: RunSettings
    ) -> (lot: Lot, result: LotResult)? {
        switch result {
        case .success(let result):
            guard pieces[lot.number] != nil else { return (lot, result) }
            pieces[lot.number]?.add(result, of: lot)
        case .failure where lot.count > 1:
            singles += lot.singles.reversed()
            pieces[lot.number] = LotPieces(of: lot)
        case .failure(let death):
            var piece = LotResult()
            piece.take(crashed: lot.variations[0], of: lot, with: settings, by: death)
            pieces[lot.number, default: LotPieces(of: lot)].add(piece, of: lot)
        }
        guard let whole = pieces[lot.number], let result = whole.result else { return nil }
        pieces[lot.number] = nil
        return (whole.lot, result)
    }
}
