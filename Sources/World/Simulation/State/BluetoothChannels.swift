import Basics
import Bluetooth
import DeviceLink

/// The agenda's channels for what the Bluetooth air has waiting.
struct BluetoothChannels: Sendable {
    /// Of the link in a slot.
    struct OfLink: Sendable {
        let toHost: Sides<Int>
        let events: Int
        let supervision: Int
        let updates: Int
    }

    // By device; nil until something waits there.
    var advertising: [Int?]
    var reports: [Int?]
    var attempts: [Int?]
    /// By slot.
    private(set) var links: [OfLink] = []
    /// The latest channel to a host that tells of a link to a peer, by both, and whose it is; it may be no more.
    private var latest: [SIMD2<Int>: (channel: Int, owner: Keyed)] = [:]
    /// Channels to a host that are held, with whose word is held back from whom.
    private var held: [(from: Int, to: Int, channel: Int)] = []

    init(devices: Int) {
        advertising = Array(repeating: nil, count: devices)
        (reports, attempts) = (advertising, advertising)
    }

    /// Opens the channel in which a host is told of a link to a peer.
    ///
    /// A controller tells its host one thing after another: of no link before the end of the one that it replaces.
    private mutating func openToHost(
        of device: Int, from peer: Int, _ label: String, in agenda: inout Agenda<Occurrence>
    ) -> Int {
        let pair = SIMD2(device, peer)
        let before = latest[pair].flatMap {
            agenda.channels[$0.channel].owner.key == $0.owner ? $0.channel : nil
        }
        let channel = agenda.open(label, device: device, behind: before)
        latest[pair] = (channel, agenda.channels[channel].owner.key)
        return channel
    }

    /// Opens the channels of a slot's link.
    mutating func open(
        _ slot: Int, between central: Int, and peripheral: Int, _ label: String,
        in agenda: inout Agenda<Occurrence>
    ) {
        let channels = OfLink(
            toHost: Sides(
                central: openToHost(
                    of: central, from: peripheral, String(joining: label, " to central"),
                    in: &agenda),
                peripheral: openToHost(
                    of: peripheral, from: central, String(joining: label, " to peripheral"),
                    in: &agenda)),
            events: agenda.open(String(joining: label, " events")),
            supervision: agenda.open(String(joining: label, " supervision")),
            updates: agenda.open(String(joining: label, " update")))
        if slot == links.count { links.append(channels) } else { links[slot] = channels }
    }

    /// Closes those of a slot's link; what its hosts were told still reaches them.
    func close(_ slot: Int, in agenda: inout Agenda<Occurrence>) {
        let channels = links[slot]
        for channel in [channels.events, channels.supervision, channels.updates] {
            agenda.close(channel)
        }
        for side in [Side.central, .peripheral] { agenda.retire(channels.toHost[side]) }
    }

    /// Keeps what the host of a device is to be told of a link.
    mutating func hold(
        _ channel: Int, from first: Int, to second: Int, in agenda: inout Agenda<Occurrence>
    ) {
        agenda.hold(channel)
        held.append((first, second, channel))
    }

    /// Hands over what was held.
    mutating func release(
        from first: Int, to second: Int, latest: UInt64, in agenda: inout Agenda<Occurrence>
    ) {
        // Also those of links that ended meanwhile: their host has still to be told.
        for held in held where held.from == first && held.to == second {
            agenda.release(held.channel, latest: latest)
        }
        held.removeAll { $0.from == first && $0.to == second }
    }
}
