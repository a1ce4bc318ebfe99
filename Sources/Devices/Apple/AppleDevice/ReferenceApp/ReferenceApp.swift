import AccessoryProtocol
import CoreBluetooth
package import DeviceKit
import NearbyInteraction
import Vocabulary

/// The reference app: finds accessories, keeps several at once, and ranges with each in a session of
/// its own.
package final class ReferenceApp: SimulatedApp {
    package static let parameterNames =
        AppParameter.allCases.map(\.rawValue) + [MessageService.parameter]
    package static let defectNames = AppDefect.allCases.map(\.rawValue)

    let settings: AppSettings
    /// Where sessions call back; nil is the main queue.
    let sessionQueue: DispatchQueue?
    /// The one configuration and its accessory, for the defect that has only one.
    var configuration: NINearbyAccessoryConfiguration?
    weak var configurationOwner: AppAccessory?
    /// The sessions of lost links, for the defect that does not end them.
    var forgotten: [NISession] = []

    var accessories: [AppAccessory] = []
    var central: CBCentralManager?
    /// Who looks for accessories on the network, where that is the transport.
    var browser: NetworkBrowser?
    /// Who ranges with other Apple devices, where that is wanted.
    private var peers: PeerRanging?
    /// When silent accessories are dropped from the list.
    var listTimer: Timer?
    private var isInBackground = false
    /// Whether a defect that shows once has.
    private var hasGoneWrong = false
    /// The ARSession that its sessions share, where the camera assists them so.
    private(set) var camera: SharedCamera?

    package static func check(_ launch: AppLaunch) throws(Refusal) {
        _ = try AppSettings.read(launch)
    }

    package init(_ launch: AppLaunch) {
        guard let settings = try? AppSettings.read(launch) else {
            preconditionFailure("an app is launched only with what was checked before")
        }
        self.settings = settings
        sessionQueue = settings.usesOwnQueue ? DispatchQueue(label: "nearby-interaction") : nil
        let waits = settings.camera == .shared && !settings.has(.runsBeforeFirstFrame)
        if settings.camera == .shared {
            camera = SharedCamera(settings) { [weak self] in
                if waits { self?.begin(named: launch.device) }
            }
        }
        if !waits { begin(named: launch.device) }
    }

    /// Whether an event has no effect, which is a defect; a lost measurement would be made good by the next one.
    func loses(_ event: Handshake.Event) -> Bool {
        if case .updated = event { return false }
        return goesWrong(by: .losesACallback)
    }

    /// Whether the moment of a defect that shows once has come.
    func goesWrong(by defect: AppDefect) -> Bool {
        guard settings.has(defect), !hasGoneWrong, Self.now >= settings.appWrongAfter else {
            return false
        }
        hasGoneWrong = true
        return true
    }

    static var now: TimeInterval { TimeInterval(Context.current.now.nanoseconds) / 1_000_000_000 }

    /// Looks for what it ranges with.
    private func begin(named name: String) {
        switch settings.rangesWith {
        case .accessories:
            switch settings.transport {
            case .bluetooth: central = CBCentralManager(delegate: self, queue: nil)
            case .network: browse()
            }
        case .phones:
            peers = PeerRanging(settings, by: MultipeerNetwork(settings, named: name), with: camera)
        case .companion:
            peers = PeerRanging(settings, by: WatchNetwork(named: name), with: camera)
        }
    }

    package func didEnterBackground() { isInBackground = true }

    package func willEnterForeground() { isInBackground = false }

    package func start(peer: String?) {
        each(named: peer) { $0.handle(.start) }
        peers?.start(peer: peer)
    }

    package func stop(peer: String?) {
        each(named: peer) { $0.handle(.stop) }
        peers?.stop(peer: peer)
    }

    private func each(named name: String?, _ body: (AppAccessory) -> Void) {
        for accessory in accessories where name == nil || accessory.name == name {
            body(accessory)
        }
    }

    /// A session that has closed makes room for one that waits for that.
    func sessionClosed(of accessory: AppAccessory) {
        for other in accessories where other !== accessory { other.handle(.sessionClosed) }
    }
}

// Links.
extension ReferenceApp {
    func connect(_ accessory: AppAccessory) {
        if accessory.linkState == .discovered { accessory.linkState = .connecting }
        accessory.link.connect()
        updateScan()
    }

    func disconnect(_ accessory: AppAccessory) {
        accessory.link.disconnect()
    }
}

// What the app reports.
extension ReferenceApp {
    /// Notes something about an accessory for the trace.
    func note(_ kind: EventKind, of accessory: AppAccessory, with fields: Field...) {
        Context.current.observe(kind, fields: [accessory.link.told] + fields)
    }

    /// A local notification; the user sees it only while the app is in the background.
    func notify(_ text: String, from accessory: AppAccessory) {
        guard isInBackground || settings.has(.notifiesInForeground) else { return }
        note(.appNotification, of: accessory, with: Field("text", .text(text)))
    }

    func log(_ line: String) { Context.current.log(line) }
}
