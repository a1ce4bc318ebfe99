import DeviceKit

/// A call of a delegate with all it needs: nothing of it changes while it waits in the queue.
struct Call {
    private let callback: SessionAutomaton.Callback
    private let token: NIDiscoveryToken?
    private let shareable: [UInt8]
    private let isExtended: Bool
    /// What of the object the camera shows; nil where it does not help.
    private let view: CameraView?
    /// Whether the object was measured.
    private let isMeasured: Bool

    /// A call; nil where there is nothing to say.
    init?(_ callback: SessionAutomaton.Callback, of session: RangingSession) {
        self.callback = callback
        token = session.current?.subject.token
        shareable = session.radio?.shareable ?? []
        isExtended = session.isExtended
        view = session.view(of: callback)
        isMeasured = session.automaton.state == .running(isMeasured: true)
    }

    var kind: EventKind {
        switch callback {
        case .didStartRunning: .niDidStartRunning
        case .didGenerate: .niDidGenerateShareableConfigurationData
        case .didUpdate: .niDidUpdate
        case .didUpdateConvergence: .niDidUpdateAlgorithmConvergence
        case .didRemove: .niDidRemove
        case .wasSuspended: .niSessionWasSuspended
        case .suspensionEnded: .niSessionSuspensionEnded
        case .didInvalidate: .niDidInvalidate
        }
    }

    /// The token of another Apple device; an accessory's says nothing that its name does not.
    private var peer: [Field] {
        if let token, token.isOfSession { [token.told] } else { [] }
    }

    /// What the observation says besides session and peripheral.
    var fields: [Field] {
        switch callback {
        case .didStartRunning: isExtended ? [Field("extended", true)] : []
        case .wasSuspended, .suspensionEnded: []
        case .didGenerate: [Field("shareable", .bytes(shareable))]
        case .didUpdate(let measurement):
            peer + [
                Field("distance", measurement.map { .number(Int64($0.distance)) } ?? .none),
                Field("azimuth", measurement?.azimuth.map { .number(Int64($0)) } ?? .none),
                Field("elevation", measurement?.elevation.map { .number(Int64($0)) } ?? .none),
            ] + (view?.fields ?? [])
        case .didUpdateConvergence(let status):
            peer + [
                Field("status", .text(status.name)),
                Field("missing", status.missing.map { .text($0) } ?? .none),
            ]
        case .didRemove(let reason): peer + [Field("reason", .text(reason.name))]
        case .didInvalidate(let code):
            [
                Field("error", .text(code.name)), Field("code", .number(Int64(code.rawValue))),
            ]
        }
    }

    func perform(on delegate: any NISessionDelegate, with session: NISession) {
        switch (callback, token) {
        case (.didStartRunning, _): delegate.sessionDidStartRunning(session)
        case (.wasSuspended, _): delegate.sessionWasSuspended(session)
        case (.suspensionEnded, _): delegate.sessionSuspensionEnded(session)
        case (.didInvalidate(let code), _):
            delegate.session(session, didInvalidateWith: NIError(code))
        case (.didGenerate, let token?):
            delegate.session(
                session, didGenerateShareableConfigurationData: Data(shareable),
                for: NINearbyObject(token))
        case (.didUpdate(let measurement), let token?):
            let object = NINearbyObject(token, measurement: measurement, view: view ?? .unknown)
            delegate.session(session, didUpdate: [object])
        case (.didUpdateConvergence(let status), let token):
            delegate.session(
                session, didUpdateAlgorithmConvergence: NIAlgorithmConvergence(status),
                for: isMeasured ? token.map { NINearbyObject($0) } : nil)
        case (.didRemove(let reason), let token?):
            delegate.session(session, didRemove: [NINearbyObject(token)], reason: reason)
        case (.didGenerate, nil), (.didUpdate, nil), (.didRemove, nil):
            preconditionFailure("a session without a configuration has no nearby object")
        }
    }
}
