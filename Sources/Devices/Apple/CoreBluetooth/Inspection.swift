import Bluetooth
import BluetoothHost

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
/// link that is not encrypted yet, and then at every value and description, which nobody may write.
///
/// It asks one thing after the other, and stands in line with what the apps ask. What it hears changes
/// nothing: it is there to be seen on the air. Until it has asked for everything once the link is not
/// encrypted.
final class Inspection {
    /// A value or a description, and what it was when it was read last.
    private struct Attribute {
        let handle: UInt16
        var value: [UInt8] = []
    }

    private let subject: HiddenService
    private weak var link: PeerLink?
    private var characteristics: [RemoteCharacteristic] = []
    /// The values and descriptions, in the order of being asked for.
    private var attributes: [Attribute] = []

    init(of subject: HiddenService, on link: PeerLink) {
        self.subject = subject
        self.link = link
    }

    /// The way to ask; nil where nothing can be asked any more.
    private var client: GATTClient? {
        guard let link, link.connection.isOpen else { return nil }
        return link.connection.client
    }

    func begin() {
        link?.discoverServices { [self] result in
            let services = (try? result.get()) ?? []
            client?.discoverServices(isPrimary: false) { [self] result in
                let found = services + ((try? result.get()) ?? [])
                guard let service = found.first(where: { $0.uuid == subject.service.uuid }) else {
                    // Its characteristics may stand in a service of another name.
                    return look(through: services[...]) { [self] in encrypt() }
                }
                link?.discoverCharacteristics(of: service) { [self] result in
                    characteristics = (try? result.get()) ?? []
                    attributes = values
                    discoverDescriptors(of: characteristics[...]) { [self] in
                        guard link?.isEncrypted == false else { return encrypt() }
                        // Nobody may have anything here (R4 4.3), however it is asked for.
                        readAll { [self] in readOtherwise { [self] in encrypt() } }
                    }
                }
            }
        }
    }

    private func look(through rest: ArraySlice<RemoteService>, then: @escaping () -> Void) {
        guard let service = rest.first else { return then() }
        link?.discoverCharacteristics(of: service) { [self] _ in
            look(through: rest.dropFirst(), then: then)
        }
    }

    /// The values, single ones first.
    private var values: [Attribute] {
        [subject.single, subject.multiple].flatMap { type in
            characteristics.filter { $0.uuid == type.uuid }.map { Attribute(handle: $0.value) }
        }
    }

    /// Without a bond all has been seen on the open link.
    private func encrypt() {
        link?.whenEncrypted { [self] isEncrypted in
            guard isEncrypted else { return writeAll() }
            readAll { [self] in writeAll() }
        }
    }

    private func discoverDescriptors(
        of rest: ArraySlice<RemoteCharacteristic>, then: @escaping () -> Void
    ) {
        guard let characteristic = rest.first else { return then() }
        client?.discoverDescriptors(of: characteristic) { [self] result in
            let found = (try? result.get()) ?? []
            attributes += found.filter { $0.uuid == .userDescription }
                .map { Attribute(handle: $0.handle) }
            discoverDescriptors(of: rest.dropFirst(), then: then)
        }
    }

    private func readAll(from place: Int = 0, then: @escaping () -> Void) {
        guard place < attributes.count else { return then() }
        client?.readLong(attributes[place].handle) { [self] result in
            if let value = try? result.get() { attributes[place].value = value }
            readAll(from: place + 1, then: then)
        }
    }

    /// Asks for them by the requests that a read of the whole does not need.
    private func readOtherwise(then: @escaping () -> Void) {
        guard let client, let first = attributes.map(\.handle).min(),
            let last = attributes.map(\.handle).max()
        else { return then() }
        for type in [subject.single.uuid, subject.multiple.uuid, .userDescription] {
            client.read(type, in: HandleRange(first, last)) { _ in }
        }
        for attribute in attributes { client.readBlob(attribute.handle, offset: 0) { _ in } }
        client.readMultiple([first, last]) { _ in then() }
    }

    /// Nobody may write any of them (R4 4.3); where that is possible nothing is changed by it.
    private func writeAll(from place: Int = 0) {
        guard place < attributes.count else { return }
        let attribute = attributes[place]
        client?.write(attribute.value, to: attribute.handle) { [self] _ in
            writeAll(from: place + 1)
        }
    }
}
