import AppleDevice
import AppleFoundation
import CoreBluetooth
import NearbyInteraction

/// One accessory: its link, its session and what it was asked.
final class Visit {
    /// How far it has got.
    enum State {
        /// There is no link, or it is not subscribed to.
        case offline
        /// The user wants nothing, or no further attempt is made.
        case idle
        /// It is this accessory's turn soon, or a pause is made before the next attempt.
        case waiting
        /// `initialize` was sent.
        case asking
        /// The session was run.
        case running
        /// `configureAndStart` was sent.
        case starting
        /// The accessory ranges.
        case ranging
        /// The system suspended the session.
        case suspended
    }

    static let service = CBUUID(string: "2E938FD0-6A61-11ED-A1EB-0242AC120002")
    private static let receive = CBUUID(string: "2E93998A-6A61-11ED-A1EB-0242AC120002")
    private static let transmit = CBUUID(string: "2E939AF2-6A61-11ED-A1EB-0242AC120002")

    let peripheral: CBPeripheral
    private unowned let app: WayfinderApp
    private let messages = DispatchQueue(label: "messages")
    private var state = State.offline
    private var isWanted = true
    private var attempts = 0
    private var link = 0
    private var session: NISession?
    private var inbox: CBCharacteristic?
    private var outbox: CBCharacteristic?
    private var requestTimer: Timer?
    private var pauseTimer: Timer?
    private var refreshTimer: Timer?

    init(_ peripheral: CBPeripheral, of app: WayfinderApp) {
        self.peripheral = peripheral
        self.app = app
    }

    // MARK: The user

    func want() {
        isWanted = true
        attempts = 0
        if state == .idle { begin() }
    }

    func endByUser() {
        isWanted = false
        if state == .suspended { session?.pause() }
        end(then: .idle)
    }

    // MARK: The link

    func connected() {
        link += 1
        peripheral.delegate = self
        peripheral.discoverServices([Self.service])
        guard app.has(.assumesSubscribed) else { return }
        Timer.scheduledTimer(
            withTimeInterval: app.seconds("grace", else: 0.5), repeats: false
        ) { [weak self] _ in self?.ready() }
    }

    func lost() {
        link += 1
        inbox = nil
        outbox = nil
        stopTimers()
        if app.does(.sameSession) {
            session?.pause()
        } else {
            session?.invalidate()
            session = nil
        }
        state = .offline
        if !app.has(.keepsTurnAfterDrop) { app.pass(self) }
    }

    private func ready() {
        guard state == .offline, outbox != nil else { return }
        state = .idle
        if isWanted { begin() }
    }

    // MARK: Attempts

    private func begin() {
        guard attempts < app.count("attempts", else: 5) else {
            if app.count("silent", else: 0) == 0 { gaveUp(peripheral) }
            return
        }
        attempts += 1
        state = .waiting
        app.ask(self)
    }

    /// It is this accessory's turn.
    func initialize() {
        guard state == .waiting else { return app.pass(self) }
        state = .asking
        request([0x0A])
    }

    /// The attempt has failed; another is made a little later.
    private func fail() {
        if app.does(.asksTheUser) {
            end(then: .idle)
            isWanted = false
            return gaveUp(peripheral)
        }
        end(then: .waiting)
        pauseTimer = Timer.scheduledTimer(
            withTimeInterval: Double(max(attempts, 1)) * 0.5, repeats: false
        ) { [weak self] _ in
            guard let self, state == .waiting else { return }
            state = .idle
            if isWanted { begin() }
        }
    }

    /// Ends what was begun: the accessory is told where it may range.
    private func end(then next: State) {
        stopTimers()
        let mayRange = state == .starting || state == .ranging
        // One that is suspended is left alone: paused, it would not hear of the suspension's end.
        let isStarting = state == .running && !app.has(.configuresAfterStop)
        if next != .suspended, isStarting || mayRange { session?.pause() }
        guard state != .offline else { return }
        state = next
        if mayRange { write([0x0C]) }
        app.pass(self)
    }

    private func stopTimers() {
        for timer in [requestTimer, pauseTimer, refreshTimer] { timer?.invalidate() }
        requestTimer = nil
    }

    // MARK: Messages

    private func request(_ bytes: [UInt8]) {
        write(bytes)
        if app.has(.keepsRequestTimer), requestTimer != nil { return }
        requestTimer?.invalidate()
        requestTimer = Timer.scheduledTimer(
            withTimeInterval: app.seconds("patience", else: 3), repeats: false
        ) { [weak self] _ in self?.fail() }
    }

    private func write(_ bytes: [UInt8]) {
        guard let outbox else { return }
        // Nothing to wait for where all is believed to be ready.
        let type: CBCharacteristicWriteType =
            app.has(.assumesSubscribed) || app.does(.commands) ? .withoutResponse : .withResponse
        peripheral.writeValue(Data(bytes), for: outbox, type: type)
    }

    private func answered() {
        if app.has(.keepsRequestTimer), state != .ranging { return }
        requestTimer?.invalidate()
        requestTimer = nil
    }

    private func received(_ message: Data) {
        switch message.first {
        case 0x01: configured(message.dropFirst())
        case 0x02: started()
        case 0x03: stopped()
        default: break
        }
    }

    private func configured(_ data: Data) {
        guard state == .asking || app.has(.runsForLostLink) && state == .offline else { return }
        guard let configuration = try? NINearbyAccessoryConfiguration(data: Data(data)) else {
            return fail()
        }
        state = .running
        answered()
        if app.does(.newSession) {
            session?.invalidate()
            session = nil
        }
        if session == nil {
            session = NISession()
            session?.delegate = self
        }
        session?.run(configuration)
    }

    private func started() {
        guard state == .starting else { return }
        state = .ranging
        answered()
        if !app.does(.inTurn) { app.pass(self) }
        refreshLater()
    }

    private func refreshLater() {
        let refresh = app.seconds("refresh", else: app.does(.inTurn) ? 5 : 0)
        guard refresh > 0 else { return }
        refreshTimer = Timer.scheduledTimer(withTimeInterval: refresh, repeats: false) {
            [weak self] _ in self?.refresh()
        }
    }

    /// Long sessions are renewed.
    private func refresh() {
        if app.does(.inTurn), !app.hasSomebodyWaiting { return refreshLater() }
        guard state == .ranging || app.has(.refreshesWhileSuspended) else { return }
        end(then: .idle)
        attempts = 0
        begin()
    }

    private func stopped() {
        switch state {
        case .starting: fail()
        case .ranging:
            session?.pause()
            stopTimers()
            state = .idle
            app.pass(self)
        case .offline, .idle, .waiting, .asking, .running, .suspended: break
        }
    }
}

extension Visit: CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] {
            peripheral.discoverCharacteristics([Self.receive, Self.transmit], for: service)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        outbox = service.characteristics?.first { $0.uuid == Self.receive }
        inbox = service.characteristics?.first { $0.uuid == Self.transmit }
        if let inbox { peripheral.setNotifyValue(true, for: inbox) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if characteristic.isNotifying, !app.has(.assumesSubscribed) { ready() }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard error == nil, let value = characteristic.value else { return }
        let link = link
        messages.async(
            execute: DispatchWorkItem { [weak self] in
                guard let self, self.link == link || app.has(.runsForLostLink) else { return }
                received(value)
            })
    }
}

extension Visit: NISessionDelegate {
    func session(
        _ session: NISession, didGenerateShareableConfigurationData data: Data,
        for object: NINearbyObject
    ) {
        guard session === self.session, state == .running || app.has(.configuresAfterStop)
        else { return }
        state = .starting
        request([0x0B] + data)
    }

    func session(
        _ session: NISession, didRemove nearbyObjects: [NINearbyObject],
        reason: NINearbyObject.RemovalReason
    ) {
        guard session === self.session else { return }
        reason == .timeout ? fail() : end(then: .idle)
    }

    func sessionWasSuspended(_ session: NISession) {
        guard session === self.session, state != .offline else { return }
        // Nobody wants it: once it is paused, it may be run again whenever that changes.
        guard isWanted else { return session.pause() }
        let refresh = app.has(.refreshesWhileSuspended) ? refreshTimer : nil
        if refresh != nil { refreshTimer = nil }
        end(then: .suspended)
        refreshTimer = refresh
        attempts = 0
    }

    func sessionSuspensionEnded(_ session: NISession) {
        guard session === self.session, state == .suspended else { return }
        state = .idle
        if isWanted { begin() }
    }

    func session(_ session: NISession, didInvalidateWith error: any Error) {
        guard session === self.session else { return }
        self.session = nil
        guard state != .offline else { return }
        switch (error as? NIError)?.code {
        // What no further attempt changes.
        case .userDidNotAllow, .invalidConfiguration, .unsupportedPlatform, .incompatiblePeerDevice:
            isWanted = false
        default: break
        }
        isWanted ? fail() : end(then: .idle)
    }
}
