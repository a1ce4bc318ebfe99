import Basics
import DeviceLink

struct UCISession: Sendable {
    let id: UInt32
    /// The number that the air knows it by, and of UCI 2.0 the host.
    let handle: UInt32
    var state = SessionState.initialized
    var configuration = AppConfiguration()
    var rounds: UInt32 = 0
    /// The number of the next SESSION_INFO_NTF.
    var sequence: UInt32 = 0
    var roundsSinceStart: UInt32 = 0
    /// How many rounds in a row have missed.
    var misses: UInt32 = 0
}

extension VirtualUWBS {
    /// What the host calls a session (`session_token`).
    func token(of session: UCISession) -> UInt32 {
        options.hasSessionHandles ? session.handle : session.id
    }

    /// The place of the session whose token comes next.
    func session(
        _ fields: inout UCIFields, isLast: Bool = true
    ) throws(UCIStatus) -> Int {
        let wanted = try fields.uint32()
        if isLast { try fields.end() }
        guard let place = sessions.firstIndex(where: { token(of: $0) == wanted }) else {
            throw .sessionNotExist
        }
        return place
    }

    /// Brings a session into a state, and tells the host of it.
    mutating func enter(
        _ state: SessionState, _ place: Int,
        because reason: ReasonCode = .stateChangeWithSessionManagementCommands
    ) {
        sessions[place].state = state
        tell(
            .sessionStatus,
            [UInt8](littleEndian: token(of: sessions[place])) + [state.rawValue, reason.rawValue])
    }

    mutating func initialize(_ fields: inout UCIFields) throws(UCIStatus) -> UCIResponse {
        let id = try fields.uint32()
        let type = try fields.uint8()
        try fields.end()
        // FIRA_RANGING_SESSION alone.
        guard type == 0 else { throw .invalidParam }
        guard !sessions.contains(where: { $0.id == id }) else { throw .sessionDuplicate }
        guard sessions.count < options.sessions else { throw .maxSessionsExceeded }
        latestHandle += 1
        sessions.append(UCISession(id: id, handle: latestHandle))
        enter(.initialized, sessions.count - 1)
        return UCIResponse(options.hasSessionHandles ? [UInt8](littleEndian: latestHandle) : [])
    }

    mutating func deinitialize(_ fields: inout UCIFields) throws(UCIStatus) {
        let place = try session(&fields)
        if sessions[place].state == .active {
            request(.stop(session: sessions[place].handle))
        }
        enter(.deinitialized, place)
        sessions.remove(at: place)
        tellState()
    }

    mutating func setAppConfig(_ fields: inout UCIFields) throws(UCIStatus) -> UCIResponse {
        let place = try session(&fields, isLast: false)
        let parameters = try fields.parameters()
        var refused: [UInt8] = []
        if sessions[place].state == .active {
            let fixed = parameters.map(\.identifier)
                .filter { !AppConfiguration.mayChangeWhileActive($0) }
            guard fixed.isEmpty else {
                return UCIResponse(
                    status: .sessionActive,
                    [UInt8(clamping: fixed.count)]
                        + fixed.flatMap { [$0, UCIStatus.sessionActive.rawValue] })
            }
        }
        // What is right is set, also where something else is wrong.
        for (identifier, value) in parameters
        where !sessions[place].configuration.set(identifier, to: value) {
            refused += [identifier, UCIStatus.invalidParam.rawValue]
            let name =
                AppConfigParameter(rawValue: identifier).map { ", \(firaName(of: $0))," } ?? ""
            remark(
                "UCI: the UWBS cannot set parameter 0x"
                    + String(hexadecimal: identifier, digits: 2) + name + " to "
                    + String(hexadecimalPairs: value))
        }
        if sessions[place].state == .initialized, sessions[place].configuration.isComplete,
            refused.isEmpty
        {
            enter(.idle, place)
        }
        return UCIResponse(refused: refused)
    }

    /// Gives the values of the parameters that are asked for; of none, those of all.
    func getAppConfig(_ fields: inout UCIFields) throws(UCIStatus) -> UCIResponse {
        let place = try session(&fields, isLast: false)
        let configuration = sessions[place].configuration
        let asked = try fields.identifiers()
        return UCIResponse(values: asked.isEmpty ? configuration.identifiers : asked) {
            configuration[$0]
        }
    }
}
