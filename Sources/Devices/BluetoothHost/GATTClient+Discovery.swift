package import Bluetooth

// Discovery (Core Specification Vol 3 Part G 4.4 to 4.7): the same request again and again, each time
// from the handle after the last one found, until the server finds no more.
extension GATTClient {
    /// Discovers all primary services, or all secondary ones, in the order of their handles.
    package func discoverServices(
        isPrimary: Bool = true, completion: @escaping Completion<[RemoteService]>
    ) {
        let type: BluetoothUUID = isPrimary ? .primaryService : .secondaryService
        search(.all, completion: completion) {
            .readByGroupTypeRequest($0, type: type)
        } parse: {
            guard case .readByGroupTypeResponse(let groups) = $0 else { return nil }
            return found(groups, at: { $0.range }) { group in
                BluetoothUUID(littleEndian: group.value).map {
                    RemoteService(uuid: $0, range: group.range)
                }
            }
        }
    }

    package func discoverServices(
        _ uuid: BluetoothUUID, completion: @escaping Completion<[RemoteService]>
    ) {
        search(.all, completion: completion) {
            .findByTypeValueRequest($0, type: 0x2800, value: uuid.bytes)
        } parse: {
            guard case .findByTypeValueResponse(let ranges) = $0 else { return nil }
            return found(ranges, at: { $0 }) { RemoteService(uuid: uuid, range: $0) }
        }
    }

    package func discoverCharacteristics(
        of service: RemoteService, completion: @escaping Completion<[RemoteCharacteristic]>
    ) {
        search(service.range) { result in
            completion(result.map { endingBeforeTheNext($0) })
        } request: {
            .readByTypeRequest($0, type: .characteristic)
        } parse: {
            guard case .readByTypeResponse(let values) = $0 else { return nil }
            return found(values, at: { HandleRange($0.handle, $0.handle) }) {
                RemoteCharacteristic(declaration: $0, end: service.range.last)
            }
        }
    }

    /// Discovers all descriptors of a characteristic; asks nothing where there is no room for one.
    package func discoverDescriptors(
        of characteristic: RemoteCharacteristic,
        completion: @escaping Completion<[RemoteDescriptor]>
    ) {
        procedure(endingWith: completion) { [unowned self] bearer, done in
            searchDescriptors(of: characteristic, by: bearer, completion: done)
        }
    }

    /// The same within a procedure.
    func searchDescriptors(
        of characteristic: RemoteCharacteristic, by bearer: ATTBearer,
        completion done: @escaping Completion<[RemoteDescriptor]>
    ) {
        guard characteristic.value < characteristic.end else { return done(.success([])) }
        let search = TypeSearch(
            bearer: bearer, last: characteristic.end, request: { .findInformationRequest($0) },
            parse: {
                guard case .findInformationResponse(let list) = $0 else { return nil }
                return found(list, at: { HandleRange($0.handle, $0.handle) }) {
                    RemoteDescriptor(uuid: $0.type, handle: $0.handle)
                }
            }, done: done)
        search.run(from: characteristic.value + 1)
    }

    /// Reads all values of a type in a range, each with its handle and cut to what fits.
    package func read(
        _ uuid: BluetoothUUID, in range: HandleRange = .all,
        completion: @escaping Completion<[ATTPDU.AttributeValue]>
    ) {
        search(range, completion: completion) {
            .readByTypeRequest($0, type: uuid)
        } parse: {
            guard case .readByTypeResponse(let values) = $0 else { return nil }
            return found(values, at: { HandleRange($0.handle, $0.handle) }) { $0 }
        }
    }

    private func search<Element>(
        _ range: HandleRange, completion: @escaping Completion<[Element]>,
        request: @escaping (HandleRange) -> ATTPDU,
        parse: @escaping (ATTPDU) -> Found<Element>?
    ) {
        procedure(endingWith: completion) { bearer, done in
            TypeSearch(bearer: bearer, last: range.last, request: request, parse: parse, done: done)
                .run(from: range.first)
        }
    }
}

/// What one response of a search says.
private struct Found<Element> {
    let elements: [Element]
    let ranges: [HandleRange]

    /// The last handle it says anything about; nil where its handles do not ascend from `first`.
    func end(ascendingFrom first: UInt16) -> UInt16? {
        var next = Int(first)
        for range in ranges {
            guard next <= range.first, range.first <= range.last else { return nil }
            next = Int(range.last) + 1
        }
        return ranges.last?.last
    }
}

/// All elements of a list; nil where one of them cannot be read.
private func found<Raw, Element>(
    _ list: [Raw], at range: (Raw) -> HandleRange, read element: (Raw) -> Element?
) -> Found<Element>? {
    let elements = list.compactMap(element)
    guard elements.count == list.count else { return nil }
    return Found(elements: elements, ranges: list.map(range))
}

/// A search that is under way.
private struct TypeSearch<Element> {
    unowned let bearer: ATTBearer
    let last: UInt16
    let request: (HandleRange) -> ATTPDU
    let parse: (ATTPDU) -> Found<Element>?
    let done: Completion<[Element]>

    func run(from first: UInt16, after soFar: [Element] = []) {
        bearer.request(request(HandleRange(first, last))) { result in
            switch result.then(parse) {
            case .success(let found):
                guard let end = found.end(ascendingFrom: first) else {
                    let complaint = "handles that do not ascend from \(first)"
                    return done(.failure(.invalidResponse(complaint)))
                }
                let all = soFar + found.elements
                if end >= last { done(.success(all)) } else { run(from: end + 1, after: all) }
            case .failure(.att(.attributeNotFound, _, _)): done(.success(soFar))
            case .failure(let error): done(.failure(error))
            }
        }
    }
}

/// Gives each characteristic the handles before the next one's declaration.
private func endingBeforeTheNext(_ list: [RemoteCharacteristic]) -> [RemoteCharacteristic] {
    var list = list
    for (index, next) in list.indices.dropFirst().enumerated() {
        list[index].end = list[next].declaration - 1
    }
    return list
}

extension RemoteCharacteristic {
    /// Reads a declaration: properties, handle of the value, UUID.
    fileprivate init?(declaration: ATTPDU.AttributeValue, end: UInt16) {
        let bytes = declaration.value
        guard bytes.count > 3, let uuid = BluetoothUUID(littleEndian: bytes[3...]) else {
            return nil
        }
        self.init(
            uuid: uuid, properties: CharacteristicProperties(rawValue: bytes[0]),
            declaration: declaration.handle, value: UInt16(bytes[1]) | UInt16(bytes[2]) << 8,
            end: end)
    }
}
