import DeviceLink

/// Rows that wait until it is known how they are drawn: an arrow may arrive, and something may happen again.
///
/// A row leaves when it and all before it are settled, so what leaves is in the order of time.
struct SequenceQueue {
    /// What makes two events two ends of one arrow.
    struct ArrowKey: Hashable {
        let name: String
        let link: Int64?
        let session: Int64?
        let from: String
        let to: String
    }

    /// What makes two events the same thing again.
    struct FoldKey: Hashable {
        let device: String
        let name: String
        let session: Int64?
        let outcome: String?
    }

    private enum State {
        case settled
        case underWay(ArrowKey)
        case folding(FoldKey)
    }

    private var rows: [(row: SequenceRow, state: State)] = []
    /// How many rows have left: places count from the first row of all.
    private var left = 0
    /// The places of arrows that are under way, by where they go, oldest first; looked up only.
    private var arrows: [String: [Int]] = [:]
    /// The places of folds that may go on, by device; looked up only.
    private var folds: [String: [FoldKey: Int]] = [:]

    /// How many rows may wait: a run may be longer than memory.
    private static let most = 512

    /// Adds a row that is settled.
    mutating func add(_ row: SequenceRow) { rows.append((row, .settled)) }

    /// Adds an arrow that has left.
    mutating func depart(_ row: SequenceRow, as key: ArrowKey) {
        arrows[key.to, default: []].append(left + rows.count)
        rows.append((row, .underWay(key)))
    }

    /// Completes the oldest arrow with this key; returns whether there was one.
    mutating func arrive(
        _ key: ArrowKey, at time: VirtualTime, marked marks: [SequenceRow.Mark]
    ) -> Bool {
        let places = arrows[key.to] ?? []
        let index = places.firstIndex { place in
            if case .underWay(key) = rows[place - left].state { true } else { false }
        }
        guard let index, case .arrow(var arrow) = rows[places[index] - left].row.body else {
            return false
        }
        (arrow.part, arrow.arrives) = (.whole, time)
        rows[places[index] - left].row.body = .arrow(arrow)
        rows[places[index] - left].row.marks += marks
        rows[places[index] - left].state = .settled
        arrows[key.to]?.remove(at: index)
        return true
    }

    /// Counts something that has happened before, as long as nothing else came between at its device.
    mutating func fold(_ row: SequenceRow, as key: FoldKey) {
        if let place = folds[key.device]?[key],
            case .fold(var fold) = rows[place - left].row.body
        {
            fold.count += 1
            fold.last = row.time
            rows[place - left].row.body = .fold(fold)
            return
        }
        split(arrowsTo: key.device)
        folds[key.device, default: [:]][key] = left + rows.count
        rows.append((row, .folding(key)))
    }

    /// Something else happens to a device: arrows to it arrive further down, and what is folded there is over.
    mutating func interrupt(_ device: String) {
        split(arrowsTo: device)
        endFolds(of: device)
    }

    /// Something happens to everybody.
    mutating func interruptAll() {
        for index in rows.indices { settle(index) }
        arrows = [:]
        folds = [:]
    }

    /// Ends what is folded at a device.
    mutating func endFolds(of device: String) {
        for place in (folds.removeValue(forKey: device) ?? [:]).values { settle(place - left) }
    }

    private mutating func split(arrowsTo device: String) {
        for place in arrows.removeValue(forKey: device) ?? [] { settle(place - left) }
    }

    private mutating func settle(_ index: Int) {
        guard rows.indices.contains(index) else { return }
        rows[index].state = .settled
        switch rows[index].row.body {
        case .arrow(let arrow) where arrow.isMutual && arrow.part != .whole:
            rows[index].row.body = .note(device: arrow.from, label: arrow.label)
        case .fold(let fold) where fold.count == 1:
            rows[index].row.body = .note(device: fold.device, label: fold.label)
        default: break
        }
    }

    /// Takes the rows at the front that are settled; all of them where nothing follows.
    mutating func leave(all: Bool = false) -> [SequenceRow] {
        if all || rows.count > Self.most { interruptAll() }
        let count = rows.firstIndex { if case .settled = $0.state { false } else { true } }
        let ready = rows.prefix(count ?? rows.count).map(\.row)
        guard !ready.isEmpty else { return [] }
        rows.removeFirst(ready.count)
        left += ready.count
        return ready
    }
}
