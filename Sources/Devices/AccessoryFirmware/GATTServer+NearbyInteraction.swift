import AccessoryProtocol
import Bluetooth
import BluetoothHost
import Vocabulary

// The Nearby Interaction Service (R4 section 4), and all that defects make of it.
extension GATTServer {
    /// Adds the service: the Single characteristics, and the Multiple ones where there are any.
    func addNearbyInteraction(
        _ parameters: AccessoryParameters
    ) -> (singles: [Characteristic], multiples: [Characteristic]) {
        guard parameters.hasNearbyInteraction, !parameters.has(.noService) else { return ([], []) }
        var service = NearbyInteractionService.service
        if parameters.has(.secondServiceInstance) { addService(service) }
        if parameters.has(.wrongServiceUUID) { service = service.endingWrongly }
        // A characteristic goes to the service added last: here that of the messages.
        let elsewhere = parameters.has(.multipleOnly) ? addSingles(parameters) : nil
        addService(service, isPrimary: !parameters.has(.secondaryService))
        let singles = elsewhere ?? addSingles(parameters)
        let multiples = addMultiples(parameters)
        if parameters.hasOwnCharacteristic {
            addCharacteristic(QorvoService.secure, properties: .read)
        }
        return (singles, multiples)
    }

    /// One Single Configuration Data characteristic for each possible session.
    ///
    /// Several need user descriptions that differ (R4 4.3.4).
    private func addSingles(_ parameters: AccessoryParameters) -> [Characteristic] {
        let count = parameters.has(.oneSingleDeclared) ? 1 : parameters.links
        var properties: CharacteristicProperties = .read
        if parameters.has(.notifyingConfiguration) { properties.insert(.notify) }
        if parameters.has(.noReadOfSingle) { properties = [] }
        return (1...count).map { number in
            let single = addCharacteristic(
                NearbyInteractionService.singleConfigurationData, properties: properties,
                read: parameters.access(number == 2 ? [.leaksSingle] : []),
                takesWrites: parameters.has(.writableSingle))
            guard count > 1, !parameters.has(.undescribedSingles) else { return single }
            let isWritable =
                parameters.has(.writableDescriptions)
                || number == 2 && parameters.has(.writableSecondDescription)
            let text = "Session \(parameters.has(.sameDescriptions) ? 1 : number)"
            addDescriptor(
                parameters.has(.otherDescriptor) ? 0x2904 : .userDescription,
                read: parameters.access(
                    [.leaksSingleDescriptions], forbidden: .unreadableSingleDescriptions),
                write: isWritable ? .open : .forbidden, value: Array(text.utf8))
            return single
        }
    }

    /// The Multiple Configuration Data characteristics that the topology wants, described like the others.
    private func addMultiples(_ parameters: AccessoryParameters) -> [Characteristic] {
        let type = NearbyInteractionService.multipleConfigurationData
        var properties: CharacteristicProperties = .read
        if parameters.has(.notifyingMultiple) { properties.insert(.notify) }
        if parameters.has(.noReadOfMultiple) { properties = [] }
        return (0..<parameters.multiples).map { number in
            let multiple = addCharacteristic(
                parameters.has(.wrongMultipleUUID) ? type.endingWrongly : type,
                properties: properties, read: parameters.access([.leaksMultiple]),
                value: parameters.multipleValue(of: []))
            guard parameters.multiples > 1, !parameters.has(.undescribedMultiples) else {
                return multiple
            }
            let text = "Sessions \(parameters.has(.sameMultipleDescriptions) ? 1 : number + 1)"
            addDescriptor(
                .userDescription,
                read: parameters.access(
                    [.leaksMultipleDescriptions], forbidden: .unreadableMultipleDescriptions),
                write: parameters.has(.writableMultipleDescriptions) ? .open : .forbidden,
                value: Array(text.utf8))
            return multiple
        }
    }
}

extension AccessoryParameters {
    /// Who may read a value or a description of the service (R4 table 4-3): over an encrypted link only,
    /// unless a defect opens it to anyone or to nobody.
    fileprivate func access(
        _ leaks: [AccessoryDefect], forbidden: AccessoryDefect? = nil
    ) -> Access {
        if has(.unreadableService) || forbidden.map(has) == true { return .forbidden }
        return ([.unencryptedConfiguration] + leaks).contains(where: has) ? .open : .encrypted
    }
}

extension BluetoothUUID {
    /// The same with another last byte.
    fileprivate var endingWrongly: BluetoothUUID {
        var bytes = bytes
        bytes[0] ^= 0x01
        return BluetoothUUID(littleEndian: bytes[...]) ?? self
    }
}
