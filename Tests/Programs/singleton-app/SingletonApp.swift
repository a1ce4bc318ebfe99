import AppleDevice
import Foundation
import UIKit
import os

/// The app that `anechoic new app` makes, as many are written: what ranges is a singleton, which lives as long as the
/// process and asks the notification centre to be told of things.
final class SingletonApp: SimulatedApp {
    static let defectNames = [
        "crashes-in-background", "lets-go-in-background", "remembers-outside",
    ]

    init(_ launch: AppLaunch) {
        Manager.shared.defects = Set(launch.defects)
        Manager.shared.begin()
    }

    func start(peer: String?) { Manager.shared.finder?.start() }
}

/// Who ranges, for the whole app.
final class Manager {
    static let shared = Manager()
    var defects: Set<String> = []
    private(set) var finder: AccessoryFinder?

    private init() {
        // Nobody ever ends that: the process does.
        _ = NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
        ) { [unowned self] _ in
            Logger.app.info("in the background")
            if defects.contains("crashes-in-background") { fatalError("nobody looks any more") }
            if defects.contains("lets-go-in-background") { finder = nil }
        }
    }

    func begin() {
        Logger.begun += 1
        guard Logger.begun == 1 else { return Logger.app.error("begun already") }
        // What C keeps is not of the app's modules.
        if defects.contains("remembers-outside") {
            defer { setenv("LAUNCHED", "1", 1) }
            guard getenv("LAUNCHED") == nil else { return }
        }
        finder = AccessoryFinder()
    }
}

extension Logger {
    fileprivate static let app = Logger(subsystem: "singleton-app", category: "manager")
    /// A variable of the app's, though the type is somebody else's.
    fileprivate static var begun = 0
}
