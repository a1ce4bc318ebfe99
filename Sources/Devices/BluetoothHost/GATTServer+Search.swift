import Bluetooth

// Discovery (Core Specification Vol 3 Part F 3.4.3, 3.4.4.1 and 3.4.4.9).
extension GATTServer {
    func findInformation(
        in range: HandleRange, for connection: Connection
    ) throws(RefusedRequest) -> ATTPDU {
        var room = Int(connection.mtu) - 2
        var list: [ATTPDU.AttributeInformation] = []
        guard range.first < undescribed else {
            throw RefusedRequest(.requestNotSupported, at: range.first)
        }
        for handle in try handles(in: range) where attributes[Int(handle) - 1].kind != .removed {
            let type = attributes[Int(handle) - 1].type
            let size = 2 + type.bytes.count
            let hasSameForm = list.isEmpty || (list[0].type.short == nil) == (type.short == nil)
            guard hasSameForm, size <= room else { break }
            room -= size
            list.append(.init(handle: handle, type: type))
        }
        if list.isEmpty { throw RefusedRequest(.attributeNotFound, at: range.first) }
        return .findInformationResponse(list)
    }

    /// Attributes that not everybody may read are omitted.
    func findByTypeValue(
        in range: HandleRange, type: BluetoothUUID, value: [UInt8], for connection: Connection
    ) throws(RefusedRequest) -> ATTPDU {
        var found: [HandleRange] = []
        for handle in try handles(in: range) {
            let attribute = attributes[Int(handle) - 1]
            guard attribute.type == type, attribute.read.requirement == .open,
                (try? self.value(of: handle, for: connection)) == value
            else { continue }
            guard found.count < (Int(connection.mtu) - 1) / 4 else { break }
            found.append(HandleRange(handle, groupEnd(of: handle)))
        }
        if found.isEmpty { throw RefusedRequest(.attributeNotFound, at: range.first) }
        return .findByTypeValueResponse(found)
    }

    func readByType(
        _ type: BluetoothUUID, in range: HandleRange, for connection: Connection
    ) throws(RefusedRequest) -> ATTPDU {
        var room = Int(connection.mtu) - 2
        var list: [ATTPDU.AttributeValue] = []
        for handle in try handles(in: range)
        where attributes[Int(handle) - 1].type == type
            && attributes[Int(handle) - 1].kind != .removed
        {
            let whole: [UInt8]
            do throws(RefusedRequest) {
                whole = try value(of: handle, for: connection)
            } catch {
                // Only the first one is refused; a later one waits for the next request.
                if list.isEmpty { throw error }
                break
            }
            let value = Array(whole.prefix(min(Int(connection.mtu) - 4, 253)))
            guard value.count + 2 <= room, list.allSatisfy({ $0.value.count == value.count })
            else { break }
            room -= value.count + 2
            list.append(.init(handle: handle, value: value))
        }
        if list.isEmpty { throw RefusedRequest(.attributeNotFound, at: range.first) }
        return .readByTypeResponse(list)
    }

    func readByGroupType(
        _ type: BluetoothUUID, in range: HandleRange, for connection: Connection
    ) throws(RefusedRequest) -> ATTPDU {
        let handles = try handles(in: range)
        guard type == .primaryService || type == .secondaryService else {
            throw RefusedRequest(.unsupportedGroupType, at: range.first)
        }
        var room = Int(connection.mtu) - 2
        var list: [ATTPDU.GroupValue] = []
        for handle in handles
        where attributes[Int(handle) - 1].type == type
            && attributes[Int(handle) - 1].kind == .service
        {
            let value = attributes[Int(handle) - 1].value
            guard value.count + 4 <= room, list.allSatisfy({ $0.value.count == value.count })
            else { break }
            room -= value.count + 4
            list.append(
                .init(
                    range: HandleRange(handle, groupEnd(of: handle)), value: value))
        }
        if list.isEmpty { throw RefusedRequest(.attributeNotFound, at: range.first) }
        return .readByGroupTypeResponse(list)
    }

    /// The handles of a range that exist, in order.
    private func handles(in range: HandleRange) throws(RefusedRequest) -> ClosedRange<UInt16> {
        guard range.isValid else { throw RefusedRequest(.invalidHandle, at: range.first) }
        let last = min(range.last, UInt16(attributes.count))
        guard range.first <= last else { throw RefusedRequest(.attributeNotFound, at: range.first) }
        return range.first...last
    }

    /// The last handle of the service that begins at `handle`; any other attribute is its own group.
    func groupEnd(of handle: UInt16) -> UInt16 {
        guard attributes[Int(handle) - 1].kind == .service else { return handle }
        let next = attributes[Int(handle)...].firstIndex {
            $0.kind == .service || $0.kind == .removed
        }
        return UInt16(next ?? attributes.count)
    }
}
