import AccessoryProtocol
import CoreBluetooth
import DeviceKit
import NearbyInteraction

/// What Nearby Interaction learns from Bluetooth and the network.
final class SystemSurroundings: NearbyInteractionSurroundings {
    private let bluetooth: BluetoothSystem
    private let network: NetworkHost
    /// Whether Single characteristics come before a Multiple one: on a system that does not know that, or by a defect.
    private let readsSingles: Bool

    init(_ bluetooth: BluetoothSystem, _ network: NetworkHost, readsSingles: Bool) {
        self.bluetooth = bluetooth
        self.network = network
        self.readsSingles = readsSingles
    }

    func sender(of configuration: [UInt8]) -> KnownAccessory? {
        bluetooth.sender(of: configuration).map { .address($0) }
            ?? network.sender(of: configuration).map { .host($0) }
    }

    func address(of identifier: UUID) -> Address? { bluetooth.address(of: identifier) }

    func isPairedAndConnected(_ accessory: Address) -> Bool {
        bluetooth.isPairedAndConnected(accessory)
    }

    /// Reads the Multiple characteristic where there is one, and only that; else all Single ones (R4
    /// 4.3.3).
    func readConfigurations(
        of accessory: Address, completion: @escaping ([[UInt8]]?) -> Void
    ) {
        let hidden = HiddenService.nearbyInteraction
        bluetooth.readHidden(
            hidden.service, preferred: readsSingles ? hidden.single : hidden.multiple,
            otherwise: readsSingles ? hidden.multiple : hidden.single, of: accessory
        ) { [readsSingles] found in
            guard let found else { return completion(nil) }
            guard found.isPreferred != readsSingles else { return completion(found.values) }
            completion(
                found.values.flatMap {
                    (try? MultipleConfigurationData($0).configurations) ?? []
                })
        }
    }
}

extension HiddenService {
    /// The Nearby Interaction Service (R4 4.3.1).
    static var nearbyInteraction: HiddenService {
        HiddenService(
            CBUUID(NearbyInteractionService.service),
            single: CBUUID(NearbyInteractionService.singleConfigurationData),
            multiple: CBUUID(NearbyInteractionService.multipleConfigurationData))
    }
}
