import Basics
import Bluetooth
import DeviceKit

/// The ATT bearer of one connection: requests and indications, one of each outstanding at a time
/// (Core Specification Vol 3 Part F 3.3).
package final class ATTBearer {
    /// The longest PDU: 23 until exchanged.
    package internal(set) var mtu = ATTPDU.defaultMTU
    /// Why nothing more can be asked: a transaction timed out, or the connection has ended.
    package private(set) var end: GATTError?

    private struct Transaction {
        let pdu: ATTPDU
        let completion: Completion<ATTPDU>
    }

    private let requestTimer: String
    private let indicationTimer: String
    private var request: Transaction?
    /// The first one has been sent, the others wait for its confirmation.
    private var indications: [Transaction] = []
    private unowned let connection: Connection

    init(of connection: Connection) {
        self.connection = connection
        requestTimer = String(joining: "att/", String(connection.number))
        indicationTimer = String(joining: requestTimer, "/indication")
    }

    /// Sends a request; the client sees to it that there is only one.
    func request(_ pdu: ATTPDU, completion: @escaping Completion<ATTPDU>) {
        if let end { return completion(.failure(end)) }
        precondition(request == nil, "a request while another one is outstanding")
        request = Transaction(pdu: pdu, completion: completion)
        send(pdu)
        setTimer(requestTimer)
    }

    /// Sends an indication after those before it; false where there is no room for it.
    func indicate(_ pdu: ATTPDU, completion: @escaping Completion<ATTPDU>) -> Bool {
        guard takesOneMore() else { return false }
        indications.append(Transaction(pdu: pdu, completion: completion))
        if indications.count == 1 { sendIndication() }
        return true
    }

    /// Whether one more notification, write command or indication would be taken now.
    var hasRoom: Bool {
        end == nil && connection.hasRoom && indications.count <= connection.host.limits.queue
    }

    /// As `hasRoom`, and a refusal on a living bearer is remembered until there is room again.
    func takesOneMore() -> Bool {
        if !hasRoom && end == nil { connection.refuse() }
        return hasRoom
    }

    /// Sends what wants no answer; false where there is no room for it.
    func sendUnanswered(_ pdu: ATTPDU) -> Bool {
        guard takesOneMore() else { return false }
        send(pdu)
        return true
    }

    /// Keeps room for a write command that has to wait for its turn; false where there is none.
    func reserve() -> Bool {
        guard takesOneMore() else { return false }
        connection.reserve()
        return true
    }

    /// Sends what room was kept for; nothing on a dead bearer.
    func sendReserved(_ pdu: ATTPDU) {
        connection.endReservation()
        if end == nil { send(pdu) }
    }

    /// Takes one PDU of the peer.
    func receive(_ bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first else { return connection.drop("an empty ATT PDU") }
        guard let opcode = ATTOpcode(rawValue: first) else { return receiveUnknown(first) }
        switch opcode.role {
        case .request, .command: serve(opcode, in: bytes)
        case .response: receiveResponse(opcode, in: bytes)
        case .notification, .indication: receiveValue(bytes)
        case .confirmation: receiveConfirmation()
        }
    }

    func handleTimer(_ name: String) -> Bool {
        guard name == requestTimer || name == indicationTimer else { return false }
        connection.drop("no answer within \(ATTPDU.transactionSeconds) s, the bearer is dead")
        fail(.timedOut, firedTimer: name)
        connection.host.delegate?.host(connection.host, bearerDidTimeOut: connection)
        return true
    }

    func close(_ reason: UInt8) { fail(.disconnected(reason: reason), firedTimer: nil) }
}

extension ATTBearer {
    private func send(_ pdu: ATTPDU) { connection.send(pdu) }

    private func setTimer(_ name: String) {
        connection.host.context.setTimer(name, after: .seconds(ATTPDU.transactionSeconds))
    }

    private func sendIndication() {
        guard let first = indications.first else { return }
        send(first.pdu)
        setTimer(indicationTimer)
    }

    /// Ends all transactions.
    ///
    /// A bearer that timed out stays dead until the connection ends.
    private func fail(_ error: GATTError, firedTimer: String?) {
        end = error
        let context = connection.host.context
        if request != nil && firedTimer != requestTimer { context.cancelTimer(requestTimer) }
        if !indications.isEmpty && firedTimer != indicationTimer {
            context.cancelTimer(indicationTimer)
        }
        let failed = [request].compactMap { $0 } + indications
        request = nil
        indications = []
        for transaction in failed { transaction.completion(.failure(error)) }
    }

    /// Bit 6 marks a command, which nobody answers; among the others requests are even.
    private func receiveUnknown(_ opcode: UInt8) {
        guard opcode & 0x40 == 0, opcode.isMultiple(of: 2) else {
            return connection.drop("ATT opcode \(opcode) passed over")
        }
        send(.errorResponse(request: opcode, handle: 0, .requestNotSupported))
    }

    private func serve(_ opcode: ATTOpcode, in bytes: ArraySlice<UInt8>) {
        guard bytes.count <= mtu else { return refuseOverlong(opcode, ofLength: bytes.count) }
        connection.answering { connection.host.server.answer(opcode, in: bytes, on: connection) }
    }

    /// A PDU longer than was agreed on (Core Specification Vol 3 Part F 3.2.8), which an answer might
    /// have to repeat.
    private func refuseOverlong(_ opcode: ATTOpcode, ofLength count: Int) {
        guard case .request = opcode.role else {
            return connection.drop("a \(opcode.name) of \(count) bytes, more than \(mtu)")
        }
        send(.errorResponse(request: opcode.rawValue, handle: 0, .invalidPDU))
    }

    private func receiveResponse(_ opcode: ATTOpcode, in bytes: ArraySlice<UInt8>) {
        guard let transaction = request else {
            return connection.drop("a \(opcode.name) to nothing")
        }
        let asked = transaction.pdu.opcode
        guard opcode == asked.response || opcode == .errorResponse else {
            return connection.drop("a \(opcode.name) to a \(asked.name)")
        }
        switch try? ATTPDU(bytes) {
        case nil: finishRequest(.failure(.invalidResponse("a malformed \(opcode.name)")))
        case .errorResponse(let request, let handle, let code)?:
            guard request == asked.rawValue else {
                return connection.drop("an error-response to a request that was not made")
            }
            finishRequest(.failure(.att(code, handle: handle, request: asked)))
        case let pdu?: finishRequest(.success(pdu))
        }
    }

    /// The timer is cancelled only where the completion asks nothing more: asking sets it anew.
    private func finishRequest(_ result: Result<ATTPDU, GATTError>) {
        guard let transaction = request else { return }
        request = nil
        transaction.completion(result)
        if request == nil && end == nil { connection.host.context.cancelTimer(requestTimer) }
    }

    private func receiveValue(_ bytes: ArraySlice<UInt8>) {
        switch try? ATTPDU(bytes) {
        case .notification(let handle, let value)?:
            connection.client.onValue?(handle, value, false)
        case .indication(let handle, let value)?:
            connection.client.onValue?(handle, value, true)
            send(.confirmation)
        default: connection.drop("a malformed notification or indication")
        }
    }

    private func receiveConfirmation() {
        guard !indications.isEmpty else { return connection.drop("a confirmation of nothing") }
        let confirmed = indications.removeFirst()
        if indications.isEmpty {
            connection.host.context.cancelTimer(indicationTimer)
        } else {
            sendIndication()
        }
        confirmed.completion(.success(.confirmation))
        connection.announceRoom()
    }
}
