package import DeviceLink
package import Traces
package import Vocabulary

/// One device of a topology.
package struct DeviceSpec: Codable, Equatable, Sendable {
    /// Which program plays it.
    package enum Program: Codable, Equatable, Sendable {
        /// The reference Apple device, of this model (`iPhone15,2` or a marketing name resolved to one).
        case appleDevice(model: String)
        /// The reference accessory, of this profile (`AccessoryProfile`).
        case accessory(profile: String)
        /// Somebody else's program, spawned with these arguments, speaking DeviceLink; `model` is
        /// handed to it as it is.
        case executable(path: String, arguments: [String], model: String)
        /// Somebody else's Bluetooth host, behind the HCI door; `model` says what it is.
        case host(HostProgram, model: String)
        /// Somebody else's program that dials the unix socket `DIR/NAME.sock` itself.
        case dialsIn(model: String)
    }

    /// The name, which no other device of the topology has.
    package var name: String
    package var program: Program
    /// Where it is at the start.
    package var position: Position
    /// Where its antenna points, in hundredths of a degree from the y axis, clockwise; default 0.
    package var heading: Int32
    /// Whether it is held in portrait orientation at the start; default so.
    package var isUpright = true
    /// How bright it is where it is at the start, in lux; default 500, as in an office (EN 12464-1).
    package var light: UInt32 = 500
    /// Where it walks to, in order of time.
    package var path: [Waypoint]
    /// Parameters handed to the device (durations in ns, lengths in mm), in the file's order.
    package var parameters: [Pair]
    /// How we pair on behalf of somebody else's accessory, by an accessory's parameters; empty where we do not.
    package var security: [Pair] = []
    /// The names of the defects that are switched on.
    package var defects: [String]
    /// Devices with which a key was shared before the run (`bonded:`); always on both sides.
    package var bonded: [String]
    /// When it is powered on; default 0.
    package var start: Nanoseconds
    /// How long an accessory may take over an answer, as its maker says; nil where nobody says it.
    package var answersWithin: Nanoseconds?

    /// What that can be: after 30 s a request of ATT is over (Core Spec Vol 3 Part F 3.3.3).
    package static let answerTimes: DurationRange = .milliseconds(1) ... .seconds(30)
    /// Environment variables for a program of `run:` or `hci:` beyond the usual few: `NAME` is taken over from
    /// ours, `NAME=VALUE` is set.
    package var environment: [String] = []

    /// Whether it follows the machine's clock.
    package var goesByTheWallClock: Bool { host?.clock == .wall }

    /// Somebody else's Bluetooth host, where it is one behind the HCI door.
    package var host: HostProgram? {
        guard case .host(let host, _) = program else { return nil }
        return host
    }

    /// A healthy device at a place, powered on at once.
    package init(
        name: String, program: Program, position: Position = Position(x: 0, y: 0, z: 0),
        heading: Int32 = 0, path: [Waypoint] = [], parameters: [Pair] = [],
        defects: [String] = [], bonded: [String] = [], start: Nanoseconds = 0
    ) {
        self.name = name
        self.program = program
        self.position = position
        self.heading = heading
        self.path = path
        self.parameters = parameters
        self.defects = defects
        self.bonded = bonded
        self.start = start
    }

    /// The command line of somebody else's program that a run would start; nil for programs of ours, and
    /// where nothing is started.
    package var command: [String]? {
        switch program {
        case .executable(let path, let arguments, _) where path != "bench-device":
            [path] + arguments
        case .host(let host, _): [host.path] + host.arguments
        case .accessory, .appleDevice, .dialsIn, .executable: nil
        }
    }

    /// What it is in a session: somebody else's program is an accessory, unless its model is one of
    /// Apple's.
    package var role: DeviceRole {
        switch program {
        case .appleDevice: .appleDevice
        case .accessory: .accessory
        case .executable(_, _, let model), .host(_, let model), .dialsIn(let model):
            Catalogue.model(named: model) == nil ? .accessory : .appleDevice
        }
    }
}

/// One leg of a walk.
package struct Waypoint: Codable, Equatable, Sendable {
    /// When the walk to it begins.
    package var departure: Nanoseconds
    /// When it is reached; equal to `departure` for a jump.
    package var arrival: Nanoseconds
    /// Where the walk ends.
    package var position: Position

    package init(departure: Nanoseconds, arrival: Nanoseconds, position: Position) {
        self.departure = departure
        self.arrival = arrival
        self.position = position
    }
}
