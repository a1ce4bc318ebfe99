internal import Bluetooth
internal import BluetoothHost

/// A service that apps cannot see, and the characteristics in it that the system reads.
package struct HiddenService: Sendable {
    package let service: CBUUID
    /// The characteristic that holds the configuration data of one session.
    package let single: CBUUID
    /// The characteristic that holds the configuration data of several sessions.
    package let multiple: CBUUID

    package init(_ service: CBUUID, single: CBUUID, multiple: CBUUID) {
        self.service = service
        self.single = single
        self.multiple = multiple
    }
}

/// A look at the whole of a hidden service, as a qualification lab takes it: at what it gives on a
/// link that is not encrypted yet, and then at every descriptor and value.
///
/// It asks one thing after the other, each once, and stands in line with what the apps ask. What it
/// hears changes nothing: it is there to be seen on the air. Until it has asked for its first value
/// the link is not encrypted.
final class Inspection {
    private let subject: HiddenService
    private weak var link: Link?
    private var characteristics: [RemoteCharacteristic] = []
    /// The handles of all user descriptions.
    private var descriptions: [UInt16] = []
    /// What the first user description said.
    private var firstDescription: [UInt8] = []

    init(of subject: HiddenService, on link: Link) {
        self.subject = subject
        self.link = link
    }

    /// The way to ask; nil where nothing can be asked any more.
    private var client: GATTClient? {
        guard let link, link.connection.isOpen else { return nil }
        return link.connection.client
    }

    /// The handles of the values, single ones first.
    private var values: [UInt16] {
        [subject.single, subject.multiple].flatMap { type in
            characteristics.filter { $0.uuid == type.uuid }.map(\.value)
        }
    }

    func begin() {
        link?.discoverServices { [self] result in
            let services = (try? result.get()) ?? []
            guard let service = services.first(where: { $0.uuid == subject.service.uuid }) else {
                return encrypt()
            }
            link?.discoverCharacteristics(of: service) { [self] result in
                characteristics = (try? result.get()) ?? []
                readUnencrypted()
            }
        }
    }

    /// The first value on an open link, where nobody may have it (R4 4.3).
    private func readUnencrypted() {
        guard link?.isEncrypted == false, let handle = values.first else { return encrypt() }
        client?.readLong(handle) { [self] _ in encrypt() }
    }

    /// Without a bond the rest is asked for on an open link, but for what was refused already.
    private func encrypt() {
        link?.whenEncrypted { [self] isEncrypted in
            let wanted = values.dropFirst(isEncrypted ? 0 : 1)
            discoverDescriptors(of: characteristics[...]) { [self] in
                readDescriptions(descriptions[...]) { [self] in
                    read(wanted) { [self] in writeDescription() }
                }
            }
        }
    }

    private func discoverDescriptors(
        of rest: ArraySlice<RemoteCharacteristic>, then: @escaping () -> Void
    ) {
        guard let characteristic = rest.first else { return then() }
        client?.discoverDescriptors(of: characteristic) { [self] result in
            let found = (try? result.get()) ?? []
            descriptions += found.filter { $0.uuid == .userDescription }.map(\.handle)
            discoverDescriptors(of: rest.dropFirst(), then: then)
        }
    }

    private func readDescriptions(_ rest: ArraySlice<UInt16>, then: @escaping () -> Void) {
        guard let handle = rest.first else { return then() }
        client?.readLong(handle) { [self] result in
            if handle == descriptions.first { firstDescription = (try? result.get()) ?? [] }
            readDescriptions(rest.dropFirst(), then: then)
        }
    }

    private func read(_ rest: ArraySlice<UInt16>, then: @escaping () -> Void) {
        guard let handle = rest.first else { return then() }
        client?.readLong(handle) { [self] _ in read(rest.dropFirst(), then: then) }
    }

    /// Nobody may write a user description (R4 4.3); where that is possible nothing is changed by it.
    private func writeDescription() {
        guard let handle = descriptions.first else { return }
        client?.write(firstDescription, to: handle) { _ in }
    }
}
