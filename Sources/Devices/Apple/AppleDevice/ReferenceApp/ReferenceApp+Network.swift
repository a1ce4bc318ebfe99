import AccessoryProtocol
import DeviceKit

// Accessories on the network.
extension ReferenceApp {
    /// Looks for accessories as long as the app runs.
    func browse() {
        browser = NetworkHost.current.browse(type: NetworkMessages.type) {
            [weak self] service, host, _ in
            self?.found(service, on: host)
        } lost: { [weak self] service, _ in
            self?.lost(service)
        }
    }

    private func found(_ service: NetworkService, on host: String) {
        guard accessory(offering: service) == nil else { return }
        let accessory = AppAccessory(
            NetworkLink(to: service, on: host), named: service.name, of: self)
        accessories.append(accessory)
        note(.appFound, of: accessory)
        if settings.wants(service.name) { connect(accessory) }
    }

    /// Who is to be connected is sought on; others are gone from the list.
    private func lost(_ service: NetworkService) {
        guard let accessory = accessory(offering: service), accessory.linkState == .discovered
        else { return }
        note(.appLost, of: accessory)
        if settings.has(.keepsLostAccessories) { return }
        accessory.forget()
        accessories.removeAll { $0 === accessory }
    }

    private func accessory(offering service: NetworkService) -> AppAccessory? {
        accessories.first { ($0.link as? NetworkLink)?.service == service }
    }
}
