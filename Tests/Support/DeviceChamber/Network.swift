package import DeviceKit

/// The network of a chamber: all that is offered is found at once, and all that is sent arrives after 5 ms, in sequence.
package final class Network {
    /// The names by which devices are known as hosts.
    package var names: [String] = []
    private unowned let chamber: Chamber
    private var offers: [(device: Int, service: NetworkService, record: [UInt8])] = []
    private var browsers: [(device: Int, type: String)] = []
    private var connections: [[End]] = []
    private var lastNumber: UInt32 = 0x8000_0000

    private struct End: Equatable {
        let device: Int
        let number: UInt32
    }

    private static let latency: Nanoseconds = .milliseconds(5)

    package init(of chamber: Chamber) { self.chamber = chamber }

    package func perform(_ command: NetworkCommand, of device: Int) {
        switch command {
        case .publish(let service, let record):
            offers.append((device, service, record))
            for browser in browsers where browser.type == service.type {
                tell(browser.device, of: (device, service, record))
            }
        case .withdraw(let service):
            offers.removeAll { $0.device == device && $0.service == service }
            for browser in browsers where browser.type == service.type && browser.device != device {
                post(.lost(service, host: names[device]), to: browser.device)
            }
        case .browse(let type):
            browsers.append((device, type))
            for offer in offers where offer.service.type == type { tell(device, of: offer) }
        case .stopBrowsing(let type):
            browsers.removeAll { $0.device == device && $0.type == type }
        case .open(let number, let service): open(number, service, by: device)
        case .send(let number, _, let bytes):
            guard let other = other(end: End(device: device, number: number)) else { break }
            post(.received(connection: other.number, bytes), to: other.device)
        case .close(let number): close(End(device: device, number: number))
        }
    }

    private func tell(
        _ device: Int, of offer: (device: Int, service: NetworkService, record: [UInt8])
    ) {
        guard device != offer.device else { return }
        post(
            .found(offer.service, host: names[offer.device], record: offer.record), to: device)
    }

    private func open(_ number: UInt32, _ service: NetworkService, by device: Int) {
        guard let offer = offers.first(where: { $0.service == service }) else {
            return post(.closed(connection: number, .refused), to: device)
        }
        lastNumber += 1
        connections.append([
            End(device: device, number: number), End(device: offer.device, number: lastNumber),
        ])
        post(
            .opened(connection: lastNumber, service, host: names[device]), to: offer.device)
        post(.opened(connection: number, service, host: names[offer.device]), to: device)
    }

    private func other(end: End) -> End? {
        connections.first { $0.contains(end) }?.first { $0 != end }
    }

    private func close(_ end: End) {
        if let other = other(end: end) {
            post(.closed(connection: other.number, .closed), to: other.device)
        }
        connections.removeAll { $0.contains(end) }
    }

    private func post(_ event: NetworkEvent, to device: Int) {
        chamber.post(.network(event), to: device, after: Self.latency)
    }
}
