/// The main thread of an app, which something can keep busy: what comes then waits, in the sequence in which it came.
struct MainThread {
    /// Whether something keeps it busy.
    private(set) var isBusy = false
    private var waiting: [() -> Void] = []

    /// Whether what comes now has to wait for it, or behind others that do.
    var hasToWait: Bool { isBusy || !waiting.isEmpty }

    mutating func wait(for work: @escaping () -> Void) { waiting.append(work) }

    /// Who runs next; nil while it is busy, or where nobody waits.
    mutating func takeNext() -> (() -> Void)? {
        isBusy || waiting.isEmpty ? nil : waiting.removeFirst()
    }

    /// It gets busy, or is free again.
    ///
    /// - Returns: How many wait, each of whom takes a turn of its own now.
    mutating func setBusy(_ isBusy: Bool) -> Int {
        guard isBusy != self.isBusy else { return 0 }
        self.isBusy = isBusy
        return isBusy ? 0 : waiting.count
    }
}
