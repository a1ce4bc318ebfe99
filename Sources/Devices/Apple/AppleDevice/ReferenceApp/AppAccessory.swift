import AccessoryProtocol
import AppleFoundation
import DeviceKit
import DeviceLink
import NearbyInteraction

/// One accessory: its data link, its NISession, and the handshake between the two.
final class AppAccessory {
    enum LinkState {
        case discovered
        /// A link is wanted for the first time.
        case connecting
        /// A link was there, and will be wanted again.
        case disconnected
        case connected
    }

    let link: any DataLink
    unowned let app: ReferenceApp
    var name: String?
    var lastHeard = Context.current.now
    var linkState = LinkState.discovered
    private(set) var handshake: Handshake
    var session: NISession?

    private var requestTimer: Timer?
    private var retryTimer: Timer?

    init(_ link: any DataLink, named name: String? = nil, of app: ReferenceApp) {
        self.link = link
        self.name = name
        self.app = app
        handshake = Handshake(
            app.settings.retries, startsByItself: app.settings.startsByItself,
            asksFirst: app.settings.asksFirst, defects: app.settings.defects)
        link.accessory = self
    }

    var settings: AppSettings { app.settings }

    /// Takes an event of the handshake and does what follows from it.
    func handle(_ event: Handshake.Event) {
        if app.loses(event) { return }
        for step in handshake.handle(event, at: ReferenceApp.now) { perform(step) }
        goWrong()
        switch event {
        case .lost, .switchedOff, .removed, .invalidated, .stop: app.sessionClosed(of: self)
        case .subscribed, .received, .unreadable, .configurationRejected, .requestTimedOut,
            .retryDue, .sessionClosed, .start, .shareable, .updated, .suspended, .suspensionEnded:
            break
        }
    }

    /// What an app with a defect does at one callback.
    func goWrong() {
        if app.goesWrong(by: .disconnectsAtACallback) { perform(.disconnect) }
        if app.goesWrong(by: .runsAtACallback) { perform(.run(handshake.configuration)) }
    }

    private func perform(_ step: Handshake.Step) {
        switch step {
        case .send(let message): send(message)
        case .listen:
            link.listen()
            start(&requestTimer, settings.requestTimeout, .requestTimedOut)
        case .answered: stopTimer(&requestTimer)
        case .run(let configuration): run(configuration)
        case .pause: session?.pause()
        case .invalidate: endSession()
        case .renew: if !settings.has(.runsInvalidatedSession) { makeSession() }
        case .retry(let delay): start(&retryTimer, delay, .retryDue)
        case .cancelRetry: stopTimer(&retryTimer)
        case .connect: app.connect(self)
        case .disconnect: app.disconnect(self)
        case .started: app.note(.appStart, of: self)
        case .stopped: app.note(.appStop, of: self)
        case .attempt(let number):
            app.note(.appAttempt, of: self, with: Field("attempt", .number(Int64(number))))
        case .gaveUp(let reason):
            app.note(.appGaveUp, of: self, with: Field("reason", .text(reason)))
        }
    }

    // MARK: Timers

    private func start(_ timer: inout Timer?, _ delay: TimeInterval, _ event: Handshake.Event) {
        timer?.invalidate()
        timer = Timer.scheduledTimer(withTimeInterval: delay, repeats: false) {
            [weak self] _ in self?.handle(event)
        }
    }

    private func stopTimer(_ timer: inout Timer?) {
        timer?.invalidate()
        timer = nil
    }

    /// The app lets go of the accessory.
    func forget() {
        stopTimer(&requestTimer)
        stopTimer(&retryTimer)
        endSession()
    }

    func log(_ what: String) { app.log("\(name ?? "an accessory") \(what)") }

    // MARK: The link

    func linkDidConnect() {
        linkState = .connected
        app.note(.appConnected, of: self)
        link.prepare()
    }

    /// The accessory can be talked to: it gets its session.
    func linkIsReady() {
        if session == nil || settings.has(.secondSessionPerService) { makeSession() }
        handle(.subscribed)
    }

    func linkDidEnd(_ why: String? = nil) {
        linkState = .disconnected
        link.reset()
        app.note(.appDisconnected, of: self)
        handle(.lost(why))
    }

    /// The link is of no use; what follows is up to the handshake, when the link has ended.
    func giveUpLink(_ reason: String) {
        log(reason)
        app.disconnect(self)
    }

    // MARK: Messages

    private func send(_ message: Message) {
        let isSent = link.send(Data(message.bytes(by: link.numbers)))
        if isSent { start(&requestTimer, settings.requestTimeout, .requestTimedOut) }
    }

    /// The accessory sent a message.
    func received(_ data: Data) {
        do {
            let message = try Message(Array(data), by: link.numbers)
            app.note(.appReceived, of: self, with: Field("message", .text(message.id.name)))
            if case .iOSNotify(_, let text) = message { app.notify(text, from: self) }
            handle(.received(message))
        } catch {
            guard !settings.has(.crashesOnUnknownMessage) else {
                fatalError("Unknown message from \(name ?? "an accessory"): \(error)")
            }
            log("sent what is no message: \(error)")
            // A message of the manufacturer's own means nothing to this app.
            if case .unknownMessage = error { return }
            handle(.unreadable)
        }
    }
}
