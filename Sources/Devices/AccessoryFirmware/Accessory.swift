import Bluetooth
import BluetoothHost
package import DeviceKit
import Vocabulary

/// The reference accessory: a Bluetooth host with its attributes, a UWB chip with its middleware, and
/// an embedded application for each link it can serve.
///
/// Profiles (`Reset.model`) say what kind of firmware it has (`AccessoryProfile`). It decides nothing itself: what
/// happens goes to the values that decide, and what they want is done.
package final class Accessory: Device {
    let context: Context
    let parameters: AccessoryParameters
    let host: Host
    let network: NetworkHost
    let services: AccessoryServices
    /// One for each possible link.
    let sessions: [Session]
    var advertiser: Advertiser
    /// Messages that wait for an application.
    var inbox: Inbox
    /// What `getReserved` is answered by.
    var reserved: [UInt8]

    /// Whether a defect that shows once has.
    private var hasGoneWrong = false

    /// The key under which the reserved bytes outlive a restart.
    static let reservedKey = "reserved"

    /// An accessory; a `Refusal` names the nearest known profile, parameter or defect.
    package init(_ reset: Reset, in context: Context) throws(Refusal) {
        let parameters = try AccessoryParameters.read(reset)
        guard parameters.service != .own || parameters.ownService != nil else {
            throw Refusal("the parameter \"service\" is \"own\", but the topology has no services")
        }
        self.context = context
        self.parameters = parameters
        let host = Host(
            in: context, at: reset.address, stored: reset.stored,
            limits: HostLimits(mtu: UInt16(parameters.mtu)))
        host.pairing = parameters.pairingPolicy
        self.host = host
        network = NetworkHost(in: context)
        let chip = UWBChip(parameters, reset: reset, in: context)
        sessions = (0..<parameters.links).map { Session($0, on: chip) }
        advertiser = Advertiser(parameters)
        let leaks = parameters.has(.leaksMessages)
        inbox = Inbox(
            capacity: parameters.has(.lostRequest) ? 1 : leaks ? 3 : .max, leaks: leaks)
        reserved = reset.stored.first { $0.key == Self.reservedKey }?.value ?? []
        weak var receiver: Accessory?
        services = AccessoryServices(
            on: host.server, name: reset.name, parameters, isUpdated: reset.incarnation > 0
        ) {
            receiver?.receive($1, on: $0)
        } onSubscribe: {
            receiver?.subscribed($0)
        }
        receiver = self
        host.delegate = self
    }

    package func handle(_ event: DeviceEvent) {
        take(event)
        if startsUnasked(at: event) {
            for session in sessions { drive(session, with: .misread) }
        }
    }

    private func take(_ event: DeviceEvent) {
        if host.handle(event) || network.handle(event) { return }
        switch event {
        case .boot:
            if losesOne() { return }
            guard parameters.transport == .bluetooth else { return offer() }
            if parameters.hasPrivateAddress { host.changeAddress() }
            perform(advertiser.powerOn(links: occupied))
        case .timer(let name): handle(timer: name)
        case .command(let name, let arguments):
            if !losesOne() { handle(command: name, arguments) }
        case .uwb(let event):
            for session in sessions { drive(session, with: session.middleware.handle(event)) }
        case .bluetooth, .network, .camera, .queue: break  // The hosts and the context take these.
        }
    }

    /// Whether an event has no effect, which is a defect; a lost measurement would be made good by the next one.
    func loses(_ event: EmbeddedApplication.Event) -> Bool {
        if case .measured = event { return false }
        return losesOne()
    }

    private func losesOne() -> Bool { goesWrong(by: .losesAnEvent) }

    /// Whether the radio is started for nothing, which is a defect; a measurement or a timer is no reason.
    private func startsUnasked(at event: DeviceEvent) -> Bool {
        switch event {
        case .uwb(.round), .timer: false
        case .boot, .uwb, .bluetooth, .network, .command, .camera, .queue:
            goesWrong(by: .startsAtAnEvent)
        }
    }

    /// Whether the moment of a defect that shows once has come.
    private func goesWrong(by defect: AccessoryDefect) -> Bool {
        guard parameters.has(defect), !hasGoneWrong,
            context.now.nanoseconds >= parameters.wrongAfter
        else { return false }
        hasGoneWrong = true
        return true
    }

    /// How many phones have a session.
    ///
    /// A link that ends because there is none for it does not count.
    var occupied: Int { sessions.count { $0.isTaken } }

    private func handle(timer name: String) {
        switch name {
        case Timer.advertising: perform(advertiser.slowDown())
        case Timer.handling: handleMessage()
        default:
            for session in sessions {
                drive(session, with: session.middleware.handle(timer: name))
                if name == session.negotiationTimer {
                    perform(session.negotiation.due(), on: session)
                }
            }
        }
    }

    private func handle(command name: String, _ arguments: [Pair]) {
        switch (CommandName(rawValue: name), arguments.first { $0.name == "power" }?.value) {
        case (.stop, _):
            for session in sessions { drive(session, with: .button) }
        case (.forgetBond, _): host.forgetBonds()
        case (.changeAddress, _): host.changeAddress()
        case (.uwbEnded, _): endInBand(arguments.first { $0.name == "session" }?.value)
        case (.bluetooth, "on"): perform(advertiser.powerOn(links: occupied))
        case (.bluetooth, "off"):
            perform(advertiser.powerOff())
            host.powerOff()
        case (.bluetooth, _): note(.accessoryError, reason: "bluetooth needs power: on or off")
        default: note(.accessoryError, reason: "an accessory has no command '\(name)'")
        }
    }

    /// The phone's radio has told that it ends a session.
    private func endInBand(_ handle: String?) {
        guard let handle = handle.flatMap({ UInt32($0) }),
            let session = sessions.first(where: { $0.middleware.ranges(as: handle) })
        else { return }
        drive(session, with: .peerEnded)
    }

    /// The accessory's own timers that there is one of.
    enum Timer {
        /// The end of fast advertising.
        static let advertising = "advertising"
        /// The end of handling a message.
        static let handling = "handling"
    }
}
