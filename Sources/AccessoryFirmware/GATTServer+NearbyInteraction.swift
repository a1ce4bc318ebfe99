import AccessoryProtocol
import Bluetooth
import BluetoothHost

// The Nearby Interaction Service (R4 section 4), and all that defects make of it.
extension GATTServer {
    /// Adds the service: the Single characteristics, and the Multiple one where there is one.
    func addNearbyInteraction(
        _ parameters: AccessoryParameters
    ) -> (singles: [Characteristic], multiple: Characteristic?) {
        let service = NearbyInteractionService.service
        if parameters.has(.secondServiceInstance) { addService(service) }
        // A characteristic goes to the service added last: here that of the messages.
        let elsewhere = parameters.has(.multipleOnly) ? addSingleConfigurations(parameters) : nil
        addService(service)
        let singles = elsewhere ?? addSingleConfigurations(parameters)
        let multiple = addMultipleConfiguration(parameters)
        if parameters.has(.strayCharacteristic) {
            addCharacteristic(QorvoService.secure, properties: .read)
        }
        return (singles, multiple)
    }

    /// One Single Configuration Data characteristic for each possible session.
    ///
    /// Several need user descriptions that differ (R4 4.3.4).
    private func addSingleConfigurations(_ parameters: AccessoryParameters) -> [Characteristic] {
        let isDescribed = parameters.links > 1 && !parameters.has(.undescribedSingles)
        return (1...parameters.links).map { number in
            let single = addCharacteristic(
                NearbyInteractionService.singleConfigurationData,
                properties: parameters.has(.notifyingConfiguration) ? [.read, .notify] : .read,
                read: parameters.accessToConfiguration)
            if isDescribed { addDescription(of: number, parameters) }
            return single
        }
    }

    private func addDescription(of number: Int, _ parameters: AccessoryParameters) {
        let text = "Session \(parameters.has(.sameDescriptions) ? 1 : number)"
        addDescriptor(
            .userDescription, read: parameters.accessToConfiguration,
            write: parameters.has(.writableDescriptions) ? .open : .forbidden,
            value: Array(text.utf8))
    }

    /// The Multiple Configuration Data characteristic, where the topology wants it.
    private func addMultipleConfiguration(_ parameters: AccessoryParameters) -> Characteristic? {
        guard parameters.hasMultipleConfiguration else { return nil }
        return addCharacteristic(
            NearbyInteractionService.multipleConfigurationData, properties: .read,
            read: parameters.accessToConfiguration, value: parameters.spoilt(multiple: [0]))
    }
}

extension AccessoryParameters {
    /// Who may read the values and descriptions of the service (R4 table 4-3).
    fileprivate var accessToConfiguration: Access {
        if has(.unreadableService) { return .forbidden }
        return has(.unencryptedConfiguration) ? .open : .encrypted
    }
}
