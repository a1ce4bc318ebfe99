package import Bluetooth

/// A value, or a part of one, that a peer writes.
package struct ValuePart: Equatable, Sendable {
    package let handle: UInt16
    /// Where in the value it begins.
    package let offset: Int
    package let value: [UInt8]
}

/// What a peer asks of an attribute that somebody else answers for, in this turn or in a later one.
///
/// The peer waits meanwhile, 30 s at most (Core Specification Vol 3 Part F 3.3.3). What else it requests,
/// which it may not do, is dropped.
package final class DeferredRequest {
    package enum Demand {
        /// The value, from an offset on.
        case read(handle: UInt16, offset: Int)
        /// To take all of these values, or none.
        case write([ValuePart])

        /// The attribute that is asked first.
        var handle: UInt16 {
            switch self {
            case .read(let handle, _): handle
            case .write(let parts): parts.first?.handle ?? 0
            }
        }
    }

    package let demand: Demand
    /// Who asks; nil once that connection is no more.
    package private(set) weak var connection: Connection?

    init(_ demand: Demand, of connection: Connection) {
        self.demand = demand
        self.connection = connection
    }

    /// Whether the peer waits for the answer: not after a write command, nor twice.
    package var isAwaited: Bool { connection?.session.pending?.request === self }

    /// Answers; the bytes count where it was read.
    ///
    /// Nothing happens where nobody waits.
    package func answer(_ result: Result<[UInt8], ATTErrorCode>) {
        guard isAwaited, let connection else { return }
        connection.host.server.resume(result, on: connection)
    }
}

/// A peer's request that cannot be answered yet.
struct PendingRequest {
    let pdu: ATTPDU
    /// What its owner was asked last.
    var request: DeferredRequest
    /// What owners have said so far, by handle: the values that are read, or nothing for those taken.
    ///
    /// Looked up only.
    var values: [UInt16: [UInt8]] = [:]
}

extension GATTServer {
    /// Asks the owner of an attribute; the request is answered anew with what it says.
    func ask(
        for demand: DeferredRequest.Demand, of pdu: ATTPDU, on connection: Connection
    ) {
        let request = DeferredRequest(demand, of: connection)
        let known = connection.session.pending?.values ?? [:]
        connection.session.pending = PendingRequest(pdu: pdu, request: request, values: known)
        attributes[Int(demand.handle) - 1].onRequest?(request)
    }

    /// The owner has answered.
    func resume(_ result: Result<[UInt8], ATTErrorCode>, on connection: Connection) {
        guard let pending = connection.session.pending else { return }
        let handle = pending.request.demand.handle
        switch result {
        case .success(let value):
            connection.session.pending?.values[handle] = Array(
                value.prefix(ATTPDU.maximumValueLength))
            if let response = response(to: pending.pdu, on: connection) {
                connection.send(response)
            }
        case .failure(let code):
            connection.session.pending = nil
            if case .executeWriteRequest = pending.pdu { connection.session.prepared = [] }
            connection.send(
                .errorResponse(request: pending.pdu.opcode.rawValue, handle: handle, code))
        }
    }
}
