import AppleDevice
import AppleFoundation
import CoreBluetooth
import DeviceKit
import NearbyInteraction

/// An app of somebody's who read Apple's documentation, and of this package its public names alone.
///
/// It visits every accessory that it hears, asks one after another for configuration data, and
/// ranges with all of them.
final class WayfinderApp: SimulatedApp {
    static let parameterNames = [
        "attempts", "choose", "grace", "linger", "patience", "refresh", "silent",
    ]
    static let defectNames = WayfinderBug.allCases.map(\.rawValue)

    private let launch: AppLaunch
    private var central: CBCentralManager?
    private var visits: [Visit] = []
    private var candidates: [(peripheral: CBPeripheral, heard: Date)] = []
    private var lingerTimer: Timer?
    /// Whose turn it is to be asked; the others wait in a row.
    private weak var asked: Visit?
    private var waiting: [Visit] = []
    private let manner = WayfinderManner.chosen

    static func check(_ launch: AppLaunch) throws(Refusal) {
        for pair in launch.parameters where UInt64(pair.value) == nil {
            throw Refusal("\(pair.name) takes a duration, not \"\(pair.value)\"")
        }
        let words = CommandLine.arguments.dropFirst()
        guard words.count == (WayfinderManner.chosen == nil ? 0 : 1) else {
            let known = WayfinderManner.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal("the argument is \(words), not one of \(known)")
        }
    }

    init(_ launch: AppLaunch) {
        self.launch = launch
        if manner == .onboards {
            Timer.scheduledTimer(withTimeInterval: 3, repeats: false) { [weak self] _ in
                self?.look()
            }
        } else {
            look()
        }
    }

    /// Asks for Bluetooth.
    private func look() {
        if central == nil { central = CBCentralManager(delegate: self, queue: nil) }
    }

    func has(_ bug: WayfinderBug) -> Bool { launch.defects.contains(bug.rawValue) }

    func does(_ other: WayfinderManner) -> Bool { manner == other }

    /// A parameter in seconds.
    func seconds(_ name: String, else standard: TimeInterval) -> TimeInterval {
        launch[name].flatMap(Double.init).map { $0 / 1_000_000_000 } ?? standard
    }

    /// A parameter that is a count.
    func count(_ name: String, else standard: Int) -> Int {
        launch[name].flatMap(Int.init) ?? standard
    }

    // MARK: The user

    func start(peer: String?) {
        look()
        each(peer) { $0.want() }
    }

    func stop(peer: String?) { each(peer) { $0.endByUser() } }

    private func each(_ name: String?, _ body: (Visit) -> Void) {
        for visit in visits where name == nil || visit.peripheral.name == name { body(visit) }
    }

    /// After a while in the background the sessions are ended.
    func didEnterBackground() {
        let linger = seconds("linger", else: 0)
        guard linger > 0 else { return }
        lingerTimer = Timer.scheduledTimer(withTimeInterval: linger, repeats: false) {
            [weak self] _ in
            // What belongs to the user interface is done on its queue.
            DispatchQueue.main.async(execute: DispatchWorkItem { self?.lingered() })
        }
        isAway = true
    }

    func willEnterForeground() {
        isAway = false
        lingerTimer?.invalidate()
        each(nil) { $0.want() }
    }

    private var isAway = false

    private func lingered() {
        guard isAway || has(.lingersOverForeground) else { return }
        each(nil) { $0.endByUser() }
    }

    // MARK: Turns

    var hasSomebodyWaiting: Bool { !waiting.isEmpty }

    /// Asks for the turn to send `initialize`, of which an accessory is given one at a time.
    func ask(_ visit: Visit) {
        guard asked != nil, asked !== visit || has(.keepsTurnAfterDrop) else {
            asked = visit
            return visit.initialize()
        }
        waiting.removeAll { $0 === visit }
        waiting.append(visit)
    }

    /// The turn is over.
    func pass(_ visit: Visit) {
        waiting.removeAll { $0 === visit }
        guard asked === visit else { return }
        asked = nil
        guard !waiting.isEmpty else { return }
        ask(waiting.removeFirst())
    }
}

extension WayfinderApp: CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return each(nil) { $0.lost() } }
        each(nil) { central.connect($0.peripheral) }
        scan()
    }

    private func scan() {
        central?.scanForPeripherals(
            withServices: [Visit.service],
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        guard !visits.contains(where: { $0.peripheral == peripheral }) else { return }
        let isNew = !candidates.contains { $0.peripheral == peripheral }
        guard isNew || has(.connectsTwice) && isLongAgo(peripheral) else { return }
        candidates.append((peripheral, Date()))
        let choose = seconds("choose", else: 0)
        guard choose > 0 else { return visitCandidates() }
        guard candidates.count == 1 else { return }
        Timer.scheduledTimer(withTimeInterval: choose, repeats: false) { [weak self] _ in
            self?.visitCandidates()
        }
    }

    /// Two reports of one advertisement come together.
    private func isLongAgo(_ peripheral: CBPeripheral) -> Bool {
        candidates.allSatisfy { candidate in
            candidate.peripheral != peripheral || -candidate.heard.timeIntervalSinceNow > 0.1
        }
    }

    private func visitCandidates() {
        for candidate in candidates { visit(candidate.peripheral) }
        candidates = []
    }

    private func visit(_ peripheral: CBPeripheral) {
        visits.append(Visit(peripheral, of: self))
        central?.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        if has(.stopsScanEarly) { central.stopScan() }
        for visit in visits where visit.peripheral == peripheral { visit.connected() }
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        for visit in visits where visit.peripheral == peripheral { visit.lost() }
        central.connect(peripheral)
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { central.connect(peripheral) }
}
