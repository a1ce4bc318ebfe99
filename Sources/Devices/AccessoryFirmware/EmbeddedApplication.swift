package import AccessoryProtocol
package import DeviceKit
import Vocabulary

/// The application code on the accessory for one link and its session (R4 2.5.1 and 3.6).
///
/// A value: what happened goes in, what to do comes out. It knows neither Bluetooth nor the radio.
///
/// Where R4 leaves the answer to the manufacturer, this accessory answers every request, so that no
/// phone waits for nothing:
/// - `initialize` is accepted in any state; what runs is stopped first, and nothing of the old session
///   is valid any more.
/// - `configureAndStart` is carried out only where it answers the configuration data sent last. Else,
///   and where the middleware rejects it, whatever runs is stopped and the answer is
///   `accessoryUwbDidStop`; the phone has to `initialize` again.
/// - `stop` is answered by `accessoryUwbDidStop`, also when nothing ran.
/// - `getReserved` is answered by the bytes that the last `setReserved` left, which needs no answer.
/// - Anything else, also a request with bytes too many, is noted as an error and ignored.
package struct EmbeddedApplication: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case idle
        /// Configuration data has been sent; the phone's shareable data is awaited.
        case initialized
        /// The middleware has accepted the shareable data; the radio is awaited.
        case starting
        /// The radio is on. `isNear`: the last measurement was below the distance of notification.
        case ranging(isNear: Bool)
    }

    /// What the phone, the middleware and the user do.
    package enum Event: Equatable, Sendable {
        /// The phone wrote a message, id first.
        case received([UInt8])
        /// The middleware has populated the UWB configuration data of a new session.
        case populated([UInt8])
        /// The middleware has accepted the shareable data.
        case accepted
        /// The middleware has rejected the shareable data, for this reason.
        case rejected(String)
        case started
        /// The start has failed after all, for this reason.
        case startFailed(String)
        /// A ranging round measured this distance in millimetres.
        case measured(UInt32)
        /// The radio has measured nothing for so long that nobody seems to be there any more.
        case timedOut
        /// The phone's radio has told that it ends the session.
        case peerEnded
        /// Somebody pressed the stop button of the accessory.
        case button
        case disconnected
        /// Whatever it was is taken for the last configureAndStart, which is a defect.
        case misread
    }

    package enum Action: Equatable, Sendable {
        /// Stop what runs and forget the session (the vendors' re-init).
        case reinitialize
        /// Let the middleware populate UWB configuration data; `populated` follows.
        case populate
        /// Hand the shareable data to the middleware as it is; `accepted` or `rejected` follows.
        case configureAndStart([UInt8])
        case stop
        case stopEveryone
        /// Forget the session and let it run.
        case abandon
        /// Make these bytes readable through the Nearby Interaction Service.
        case publish([UInt8])
        case notify(Message)
        case sendReserved
        case keepReserved([UInt8])
        /// Note something for the trace: a kind under `accessory.`, and why.
        case note(EventKind, reason: String?)
    }

    package private(set) var state = State.idle
    private let parameters: AccessoryParameters
    /// Nothing is answered any more, or not yet, which is a defect.
    private var isMute = false
    /// The shareable data of the last configureAndStart.
    private var lastShareable: [UInt8]?

    /// An application without a session.
    package init(_ parameters: AccessoryParameters) {
        self.parameters = parameters
        isMute = parameters.has(.silentFirstInitialize)
    }

    /// Whether the middleware ranges or is about to.
    package var isRunning: Bool {
        switch state {
        case .starting, .ranging: true
        case .idle, .initialized: false
        }
    }

    /// Takes an event; gives what is to be done, in order.
    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .received(let bytes): received(bytes)
        case .populated(let data): populated(data)
        case .accepted: accepted()
        case .rejected(let reason): failed(reason, isSilent: has(.silentRejection))
        case .started: started()
        case .startFailed(let reason):
            has(.didStartWithoutRadio) ? [] : failed(reason, isSilent: false)
        case .measured(let distance): measured(distance)
        case .timedOut, .peerEnded, .button: isRunning ? stop() : []
        case .disconnected: disconnected()
        case .misread: startedAgain
        }
    }

    private func has(_ defect: AccessoryDefect) -> Bool { parameters.has(defect) }
}

// Requests of the phone.
extension EmbeddedApplication {
    private mutating func received(_ written: [UInt8]) -> [Action] {
        let (bytes, numbers) = (parameters.framed(written), parameters.messageNumbers)
        if isMute {
            isMute = has(.hangsAfterError) || has(.deadAfterMalformed)
            return []
        }
        if bytes.first.flatMap(numbers.id) == .configureAndStart {
            // Its length is the middleware's matter, even where it has none.
            return configureAndStart(Array(bytes.dropFirst()))
        }
        do {
            let message = try Message(bytes, by: numbers)
            switch message {
            case .initialize: return initialize()
            case .stop: return stop()
            case .getReserved: return [.sendReserved]
            case .setReserved(let bytes): return [.keepReserved(bytes)]
            case .accessoryConfigurationData, .accessoryUwbDidStart, .accessoryUwbDidStop,
                .configureAndStart, .iOSNotify:
                return [
                    .note(.accessoryError, reason: "\(message.id.name) is not for an accessory")
                ]
            }
        } catch {
            isMute = has(.deadAfterMalformed)
            if has(.replaysAtMalformed), lastShareable != nil { return startedAgain }
            return [.note(.accessoryError, reason: "\(error)")]
        }
    }

    /// The last configureAndStart, carried out once more.
    private var startedAgain: [Action] { lastShareable.map { [.configureAndStart($0)] } ?? [] }

    private mutating func initialize() -> [Action] {
        if isRunning, has(.ignoresInitializeWhileRanging) { return [] }
        defer { state = .idle }
        let answer: [Action] = has(.didStopAtInitialize) ? [.notify(.accessoryUwbDidStop)] : []
        return [.reinitialize] + noteOfStop + answer + [.populate]
    }

    private mutating func configureAndStart(_ data: [UInt8]) -> [Action] {
        lastShareable = data
        if state == .initialized || has(.replayedStart) {
            return [.configureAndStart(parameters.spoilt(shareable: data))]
        }
        let stopping: [Action] = isRunning ? [.stop] : []
        return stopping + noteOfStop
            + failed("no configuration data awaits an answer", isSilent: false)
    }

    private mutating func stop() -> [Action] {
        let answer = Action.notify(
            has(.stopAnswersDidStart) ? .accessoryUwbDidStart : .accessoryUwbDidStop)
        defer { state = .idle }
        if has(.stopStopsEveryone) { return [.stopEveryone] + noteOfStop + [answer] }
        guard isRunning, !has(.stopAcknowledgedThoughRunning) else { return [answer] }
        return [.stop] + noteOfStop + [answer]
    }

    /// What is noted where a stop ends something.
    private var noteOfStop: [Action] { isRunning ? [.note(.accessoryStop, reason: nil)] : [] }
}

// What the middleware says.
extension EmbeddedApplication {
    private mutating func populated(_ data: [UInt8]) -> [Action] {
        guard
            let configuration = try? AccessoryConfigurationData(
                preferredUpdateRate: parameters.updateRate, uwbConfigData: data)
        else { preconditionFailure("the middleware populated \(data.count) bytes") }
        state = .initialized
        let bytes = parameters.spoilt(configuration: configuration.bytes)
        let answer = Action.notify(.accessoryConfigurationData(bytes))
        return [.publish(bytes), answer] + (has(.doubleConfiguration) ? [answer] : [])
    }

    private mutating func accepted() -> [Action] {
        state = .starting
        var actions = [Action.note(.accessoryConfigured, reason: nil)]
        if acknowledgesAcceptance { actions.append(.notify(.accessoryUwbDidStart)) }
        if has(.configurationErasedAfterStart) {
            actions.append(.publish([UInt8](repeating: 0, count: 50)))
        }
        return actions
    }

    private mutating func started() -> [Action] {
        state = .ranging(isNear: false)
        var actions = [Action.note(.accessoryStart, reason: nil)]
        if !acknowledgesAcceptance { actions.append(.notify(.accessoryUwbDidStart)) }
        if has(.doubleDidStart) { actions.append(.notify(.accessoryUwbDidStart)) }
        return actions
    }

    private var acknowledgesAcceptance: Bool {
        parameters.acknowledgement == .accepted || has(.didStartWithoutRadio)
    }

    private mutating func failed(_ reason: String, isSilent: Bool) -> [Action] {
        state = .idle
        var actions = [Action.note(.accessoryRejected, reason: reason)]
        if has(.hangsAfterError) {
            isMute = true
            return actions
        }
        if !isSilent { actions.append(.notify(.accessoryUwbDidStop)) }
        if has(.doubleDidStart) { actions.append(.notify(.accessoryUwbDidStart)) }
        return actions
    }

    private mutating func measured(_ distance: UInt32) -> [Action] {
        guard case .ranging(let wasNear) = state else { return [] }
        let isNear = distance < parameters.notifyDistance
        state = .ranging(isNear: isNear)
        guard isNear, !wasNear else { return [] }
        return [.notify(.iOSNotify(distance: UInt8(distance / 100), text: "near"))]
    }

    private mutating func disconnected() -> [Action] {
        defer { state = .idle }
        if has(.rangesAfterDisconnect) { return [.abandon] }
        // The radio may run in a state that does not know it (stop-acknowledged-though-running).
        return [.reinitialize] + noteOfStop
    }
}
