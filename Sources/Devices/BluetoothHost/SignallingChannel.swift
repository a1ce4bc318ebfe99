import Basics
import Bluetooth
import DeviceKit

/// The LE signalling channel of one connection (Core Specification Vol 3 Part A 4): a peripheral asks
/// for timing, a central answers by its rules.
final class SignallingChannel {
    private struct Request {
        let parameters: ConnectionParameterRequest
        let completion: Completion<Bool>
    }

    private let timer: String
    /// The first one has been sent, the others wait for their turn.
    private var requests: [Request] = []
    /// The identifier of the request sent last; 0 is not valid on the air.
    private var identifier: UInt8 = 0
    private var end: GATTError?
    private unowned let connection: Connection

    init(of connection: Connection) {
        self.connection = connection
        timer = String(joining: "l2cap/", String(connection.number))
    }

    func request(_ parameters: ConnectionParameterRequest, completion: @escaping Completion<Bool>) {
        if let end { return completion(.failure(end)) }
        requests.append(Request(parameters: parameters, completion: completion))
        if requests.count == 1 { sendFirst() }
    }

    func receive(_ payload: [UInt8]) {
        let pdu: SignallingPDU
        do { pdu = try SignallingPDU(payload) } catch { return connection.drop("\(error)") }
        switch pdu {
        case .parameterUpdateRequest(let identifier, let request):
            answer(request, identifier: identifier)
        case .parameterUpdateResponse(let identifier, let isAccepted):
            finish(identifier, with: .success(isAccepted))
        case .commandReject(let identifier, let reason):
            finish(identifier, with: .failure(.invalidResponse("command reject, reason \(reason)")))
        case .other(let code, let identifier): answer(code: code, identifier: identifier)
        }
    }

    func handleTimer(_ name: String) -> Bool {
        guard name == timer else { return false }
        completeFirst(.failure(.timedOut))
        return true
    }

    func close(_ reason: UInt8) {
        let end = GATTError.disconnected(reason: reason)
        self.end = end
        if !requests.isEmpty { connection.host.context.cancelTimer(timer) }
        let failed = requests
        requests = []
        for request in failed { request.completion(.failure(end)) }
    }

    /// Only a central may be asked for timing; it answers first and acts then.
    private func answer(_ request: ConnectionParameterRequest, identifier: UInt8) {
        guard connection.isCentral else { return reject(identifier) }
        let rules = connection.host.limits.parameterRules
        let reasons = rules.reasons(against: request)
        let response = SignallingPDU.parameterUpdateResponse(
            identifier: identifier, isAccepted: reasons.isEmpty)
        connection.send(response.bytes, on: L2CAPChannel.signalling)
        if reasons.isEmpty {
            connection.updateParameters(rules.chosen(for: request))
        } else {
            connection.drop("connection parameters refused: \(reasons)")
        }
    }

    /// Requests have even codes; an unknown response needs no answer.
    private func answer(code: UInt8, identifier: UInt8) {
        if code.isMultiple(of: 2) { reject(identifier) }
    }

    private func reject(_ identifier: UInt8) {
        let notUnderstood = SignallingPDU.commandReject(identifier: identifier, reason: 0x0000)
        connection.send(notUnderstood.bytes, on: L2CAPChannel.signalling)
    }

    private func sendFirst() {
        guard let first = requests.first else { return }
        identifier = identifier == 0xFF ? 1 : identifier + 1
        let pdu = SignallingPDU.parameterUpdateRequest(
            identifier: identifier, first.parameters)
        connection.send(pdu.bytes, on: L2CAPChannel.signalling)
        connection.host.context.setTimer(timer, after: .seconds(ATTPDU.transactionSeconds))
    }

    private func finish(_ identifier: UInt8, with result: Result<Bool, GATTError>) {
        guard !requests.isEmpty, identifier == self.identifier else {
            return connection.drop("a signalling response to nothing")
        }
        connection.host.context.cancelTimer(timer)
        completeFirst(result)
    }

    private func completeFirst(_ result: Result<Bool, GATTError>) {
        guard !requests.isEmpty else { return }
        let first = requests.removeFirst()
        sendFirst()
        first.completion(result)
    }
}
