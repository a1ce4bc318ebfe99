package import Bluetooth

/// What can be asked of a peer's attributes (Core Specification Vol 3 Part G 4).
///
/// Every procedure completes exactly once; on a connection that has ended already within the call
/// itself. Procedures run one after the other in the order in which they were asked for; write commands
/// leave in that order, too.
package final class GATTClient {
    /// Hears every notification and indication: the handle, the value, whether it is an indication.
    ///
    /// Indications are confirmed after it has returned.
    package var onValue: ((_ handle: UInt16, _ value: [UInt8], _ isIndication: Bool) -> Void)?

    private unowned let bearer: ATTBearer
    private let queue: RequestQueue
    /// Handles of client configuration descriptors, by the handle of their characteristic's value.
    ///
    /// Looked up only; a client that keeps what it has discovered begins with those of an earlier connection.
    package var configurations: [UInt16: UInt16] = [:]

    init(of bearer: ATTBearer) {
        self.bearer = bearer
        queue = RequestQueue(of: bearer)
    }

    /// Agrees on the longest PDU; once in a connection.
    ///
    /// Completes with what was agreed on: the smaller of both sides' wishes, at least 23.
    package func exchangeMTU(_ mtu: UInt16, completion: @escaping Completion<UInt16>) {
        procedure(endingWith: completion) { bearer, done in
            bearer.request(.exchangeMTURequest(mtu)) { [unowned bearer] result in
                done(
                    result.then { pdu in
                        guard case .exchangeMTUResponse(let server) = pdu else { return nil }
                        bearer.mtu = max(ATTPDU.defaultMTU, min(mtu, server))
                        return bearer.mtu
                    })
            }
        }
    }

    /// Reads a value, or as much of it as fits into one PDU.
    package func read(_ handle: UInt16, completion: @escaping Completion<[UInt8]>) {
        ask(.readRequest(handle), completion: completion)
    }

    /// Reads a whole value, by further requests where it does not fit into one PDU.
    package func readLong(_ handle: UInt16, completion: @escaping Completion<[UInt8]>) {
        procedure(endingWith: completion) { bearer, done in
            bearer.request(.readRequest(handle)) { [unowned bearer] result in
                Self.continueRead(of: handle, after: [], with: result, by: bearer, completion: done)
            }
        }
    }

    /// Reads what fits into one PDU of a value, from an offset on.
    package func readBlob(
        _ handle: UInt16, offset: UInt16, completion: @escaping Completion<[UInt8]>
    ) {
        ask(.readBlobRequest(handle, offset: offset), completion: completion)
    }

    /// Reads several values by one request; they come one behind the other, cut to what fits.
    package func readMultiple(_ handles: [UInt16], completion: @escaping Completion<[UInt8]>) {
        ask(.readMultipleRequest(handles), completion: completion)
    }

    private func ask(_ request: ATTPDU, completion: @escaping Completion<[UInt8]>) {
        procedure(endingWith: completion) { bearer, done in
            bearer.request(request) { done($0.then { $0.readValue }) }
        }
    }

    /// Writes a value; one that does not fit into one PDU is prepared in parts.
    ///
    /// No attribute takes more than 512 bytes, so that fails without asking.
    package func write(
        _ value: [UInt8], to handle: UInt16, completion: @escaping Completion<Void>
    ) {
        procedure(endingWith: completion, holdsCommands: true) { [unowned self] bearer, done in
            guard value.count > Int(bearer.mtu) - 3 else {
                queue.lastValueLeaves()
                return bearer.request(.writeRequest(handle, value)) { done($0.map { _ in }) }
            }
            guard value.count <= ATTPDU.maximumValueLength else {
                let code = ATTErrorCode.invalidAttributeValueLength
                return done(.failure(.att(code, handle: handle, request: .prepareWriteRequest)))
            }
            prepare(value, from: 0, to: handle, by: bearer, completion: done)
        }
    }

    /// Whether a write command would be taken now; where the queue is full, `isReadyToSendOn` follows.
    package var canWriteWithoutResponse: Bool { bearer.takesOneMore() }

    /// Writes a value, cut to what fits, after everything that was asked before, and waits for no
    /// response.
    ///
    /// - Returns: False, and nothing is sent, where the connection has ended or the queue is full
    ///   (`isReadyToSendOn` follows then).
    package func writeWithoutResponse(_ value: [UInt8], to handle: UInt16) -> Bool {
        queue.send(value, to: handle)
    }

    /// Writes a characteristic's client configuration descriptor; an empty subscription ends it.
    package func subscribe(
        _ subscription: Subscription, descriptor: UInt16, completion: @escaping Completion<Void>
    ) { write(subscription.bytes, to: descriptor, completion: completion) }

    /// Writes the client configuration descriptor of a characteristic, which is looked for once, in the
    /// same procedure; an empty subscription ends it.
    package func subscribe(
        _ subscription: Subscription, to characteristic: RemoteCharacteristic,
        completion: @escaping Completion<Void>
    ) {
        procedure(endingWith: completion, holdsCommands: true) { [unowned self] bearer, done in
            findConfiguration(of: characteristic, by: bearer) { [unowned self] result in
                switch result {
                case .success(let descriptor):
                    queue.lastValueLeaves()
                    let request = ATTPDU.writeRequest(descriptor, subscription.bytes)
                    bearer.request(request) { done($0.map { _ in }) }
                    queue.sendCommands()
                case .failure(let error): done(.failure(error))
                }
            }
        }
    }

    private func findConfiguration(
        of characteristic: RemoteCharacteristic, by bearer: ATTBearer,
        completion: @escaping Completion<UInt16>
    ) {
        if let known = configurations[characteristic.value] { return completion(.success(known)) }
        searchDescriptors(of: characteristic, by: bearer) { [unowned self] result in
            completion(
                result.flatMap { descriptors in
                    let found = descriptors.first { $0.uuid == .clientConfiguration }
                    configurations[characteristic.value] = found?.handle
                    return found.map { .success($0.handle) }
                        ?? .failure(.invalidResponse("no client configuration descriptor"))
                })
        }
    }

    /// The peer has other attributes in a range now.
    package func forget(_ range: HandleRange) {
        configurations = configurations.filter { !range.contains($0.key) }
    }

    /// Runs a procedure after those before it; with `holdsCommands`, write commands that were asked for
    /// later wait until it says that its last value leaves.
    func procedure<Value>(
        endingWith completion: @escaping Completion<Value>, holdsCommands: Bool = false,
        _ body: @escaping (ATTBearer, @escaping Completion<Value>) -> Void
    ) {
        queue.add(holdsCommands: holdsCommands) { [unowned self] in
            body(bearer) { [unowned self] result in
                completion(result)
                queue.finished()
            }
        }
    }

    /// Lets everything wait that was asked for later, until `resume`.
    package func pause() { queue.pause() }

    /// Goes on after `pause`: what `first` asks for comes before all that waits.
    package func resume(first: () -> Void = {}) { queue.resume(first: first) }
}

// Values longer than a PDU (Core Specification Vol 3 Part G 4.8.3 and 4.9.4).
extension GATTClient {
    private static func continueRead(
        of handle: UInt16, after soFar: [UInt8], with result: Result<ATTPDU, GATTError>,
        by bearer: ATTBearer, completion done: @escaping Completion<[UInt8]>
    ) {
        switch result.then({ $0.readValue }) {
        case .success(let part):
            let value = soFar + part
            let isFull = part.count == Int(bearer.mtu) - 1
            guard isFull, value.count < ATTPDU.maximumValueLength else {
                return done(.success(value))
            }
            let request = ATTPDU.readBlobRequest(handle, offset: UInt16(value.count))
            bearer.request(request) { [unowned bearer] result in
                continueRead(of: handle, after: value, with: result, by: bearer, completion: done)
            }
        // The value fitted exactly, and the server does not give the rest of nothing.
        case .failure(.att(.attributeNotLong, _, _)) where !soFar.isEmpty: done(.success(soFar))
        case .failure(let error): done(.failure(error))
        }
    }

    private func prepare(
        _ value: [UInt8], from offset: Int, to handle: UInt16, by bearer: ATTBearer,
        completion done: @escaping Completion<Void>
    ) {
        guard offset < value.count else {
            queue.lastValueLeaves()
            bearer.request(.executeWriteRequest(commit: true)) { done($0.map { _ in }) }
            return queue.sendCommands()
        }
        let part = Array(value[offset...].prefix(Int(bearer.mtu) - 5))
        let request = ATTPDU.prepareWriteRequest(handle, offset: UInt16(offset), part)
        bearer.request(request) { [unowned self, unowned bearer] result in
            switch result {
            case .success(.prepareWriteResponse(handle, UInt16(offset), part)):
                prepare(value, from: offset + part.count, to: handle, by: bearer, completion: done)
            case .success:
                Self.cancelPrepared(
                    after: .invalidResponse("a prepared write was repeated wrongly"), by: bearer,
                    completion: done)
            case .failure(let error):
                Self.cancelPrepared(after: error, by: bearer, completion: done)
            }
        }
    }

    /// Makes the server forget the parts, where it can still be asked, and reports the error.
    private static func cancelPrepared(
        after error: GATTError, by bearer: ATTBearer, completion done: @escaping Completion<Void>
    ) {
        bearer.request(.executeWriteRequest(commit: false)) { _ in done(.failure(error)) }
    }
}

extension Result where Success == ATTPDU, Failure == GATTError {
    /// What `transform` makes of a response; nil means that it is no answer.
    func then<Value>(_ transform: (ATTPDU) -> Value?) -> Result<Value, GATTError> {
        flatMap { pdu in
            transform(pdu).map { .success($0) }
                ?? .failure(.invalidResponse("a \(pdu.opcode.name) that is no answer"))
        }
    }
}

extension ATTPDU {
    fileprivate var readValue: [UInt8]? {
        switch self {
        case .readResponse(let value), .readBlobResponse(let value),
            .readMultipleResponse(let value):
            value
        default: nil
        }
    }
}
