package import DeviceKit

/// The camera of a device, which one ARSession has at a time, while the app is in the foreground.
package final class ARKitSystem {
    /// Whether the device has a camera for it.
    package var isSupported = true
    /// Whoever is told what the camera sees and who has it.
    package weak var listener: (any CameraListener)?
    private let parameters: CameraParameters
    private weak var context: Context?
    private weak var running: ARSession?
    private var lastOrdinal = 0
    /// The session that had the camera last, also where it is gone.
    private var user = 0
    private var isForeground = true
    /// Whether the camera's next frame is its first.
    private var isFirst = true

    /// That of one incarnation; `current` finds it on this context.
    package init(_ parameters: CameraParameters, in context: Context) {
        self.parameters = parameters
        self.context = context
        context.attachments[ARKitSystem.self] = self
    }

    static var current: ARKitSystem {
        Context.attached(rule: "ARSession works only on a simulated Apple device")
    }

    /// Takes a frame or the timer of the camera; false where it is none of its own.
    package func handle(_ event: DeviceEvent) -> Bool {
        switch event {
        case .camera(let frame): take(frame)
        case .timer(Self.timer): context?.answer(.camera(interval: parameters.frameInterval))
        default: return false
        }
        return true
    }

    private func take(_ frame: CameraFrame) {
        guard let running else { return }
        running.take(frame, isFirst: isFirst, isDark: frame.light < parameters.light)
        isFirst = false
        listener?.took(frame, by: running)
    }

    // MARK: Who has the camera

    func nextOrdinal() -> Int {
        lastOrdinal += 1
        return lastOrdinal
    }

    func has(_ session: ARSession) -> Bool { running === session }

    func run(_ session: ARSession) {
        if running === session { return changed(session) }
        let before = running
        switchOff()
        (running, user) = (session, session.ordinal)
        if let before {
            before.wasInterrupted(because: "taken")
            listener?.lost(before, isTaken: true)
        }
        if isForeground { switchOn() }
    }

    /// Its configuration is another one, or it looks for its place.
    func changed(_ session: ARSession) { listener?.changed(session) }

    func pause(_ session: ARSession) {
        running = nil
        switchOff()
        listener?.lost(session, isTaken: false)
        listener?.freed()
    }

    /// The app has let go of a session: when an object dies depends on the app's memory alone, so it counts at the end of
    /// the turn.
    func release(_ ordinal: Int) {
        context?.atEndOfTurn { [weak self] in
            guard let self, user == ordinal, running == nil else { return }
            switchOff()
            listener?.freed()
        }
    }

    /// The app enters or leaves the foreground, without which there is no camera.
    package func setForeground(_ isForeground: Bool) {
        guard isForeground != self.isForeground else { return }
        self.isForeground = isForeground
        guard let running else { return }
        if isForeground {
            switchOn()
            running.interruptionEnded()
        } else {
            switchOff()
            running.wasInterrupted(because: "background")
            listener?.lost(running, isTaken: false)
        }
    }

    package func terminateApp() {
        guard user > 0 else { return }
        running = nil
        switchOff()
    }

    // MARK: The camera

    private static let timer = "ar/start"

    private var isOn = false

    private func switchOn() {
        isOn = true
        isFirst = true
        context?.setTimer(Self.timer, after: parameters.startDelay)
    }

    private func switchOff() {
        guard isOn else { return }
        isOn = false
        context?.cancelTimer(Self.timer)
        context?.answer(.camera(interval: 0))
    }
}

/// What Apple does not publish about the camera.
package struct CameraParameters: Equatable, Sendable {
    /// From running a session to asking for frames.
    package var startDelay: Nanoseconds
    /// From frame to frame, in milliseconds.
    package var frameInterval: UInt16
    /// How bright it has to be, in lux.
    package var light: UInt32

    package init(startDelay: Nanoseconds, frameInterval: UInt16, light: UInt32) {
        self.startDelay = startDelay
        self.frameInterval = frameInterval
        self.light = light
    }
}

/// Whoever is told what the camera sees, and who has it.
package protocol CameraListener: AnyObject {
    func took(_ frame: CameraFrame, by session: ARSession)
    /// A session has the camera no more; `isTaken` where another one has it now.
    func lost(_ session: ARSession, isTaken: Bool)
    /// A session that has the camera has another configuration.
    func changed(_ session: ARSession)
    /// Nobody has the camera any more.
    func freed()
}
