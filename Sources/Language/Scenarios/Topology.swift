package import AccessoryProtocol
package import Basics
package import DeviceLink
package import Promises
package import Traces

/// A range of durations, both ends included.
package typealias DurationRange = ClosedRange<Nanoseconds>

/// A point in space, in millimetres: x to the right, y ahead, z up.
package struct Position: Codable, Equatable, Sendable {
    /// To the right, in millimetres.
    package var x: Int64
    /// Ahead, in millimetres.
    package var y: Int64
    /// Up, in millimetres.
    package var z: Int64

    package init(x: Int64, y: Int64, z: Int64) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// A checked topology: everything a run needs but the seed.
package struct Topology: Codable, Equatable, Sendable {
    /// The path below the given folder, without suffix: `dropout/mid-handshake`.
    package var name: String
    /// What it is about, in one sentence.
    package var about: String
    /// After this time script and faults have ended and no obligation opens; default 60 s.
    package var length: Nanoseconds
    /// The devices, in the file's order.
    package var devices: [DeviceSpec]
    /// What the air is like.
    package var air: Air
    /// Services for messages besides Qorvo's and Nordic's UART.
    package var services: [MessageService] = []
    /// Pairs of devices with parameters of their own.
    package var links: [LinkSpec]
    /// What stands in the room.
    package var walls: [Wall] = []
    /// What is done, in the file's order.
    package var steps: [Step]
    /// Faults drawn from the seed; nil for none.
    package var randomFaults: RandomFaults?
    /// What is expected of the run.
    package var expectations: [Expectation]
    /// Promises of its own, beside those of the library, and the fluents they speak of; behind them what is
    /// expected in their language.
    package var properties = PropertySet()
    /// How many of the properties are expectations.
    package var expectedProperties = 0
    /// Promises that the run must break (`expect: violated …`): it passes only then.
    package var mustViolate: [String]
    /// What may break beside them.
    package var sideEffects: [SideEffect] = []
    /// The folder in which programs of `run:` are started, and from which their paths count; nil is the
    /// working folder.
    package var folder: String?

    /// A promise that breaks beside the one that a defect is about.
    package struct SideEffect: Codable, Equatable, Sendable {
        package let promise: String
        /// Why that cannot be avoided.
        package let reason: String

        package init(promise: String, reason: String) {
            (self.promise, self.reason) = (promise, reason)
        }
    }

    /// Whether it starts somebody else's programs, so that whoever plays it has to trust them.
    package var startsPrograms: Bool { devices.contains { $0.command != nil } }

    /// Whether a replay starts somebody else's programs: what goes by the wall clock is played from a recording.
    package var replayStartsPrograms: Bool {
        devices.contains { $0.command != nil && !$0.goesByTheWallClock }
    }

    /// The devices that go by the wall clock, by their places: what they do cannot be had a second time, and is
    /// recorded.
    package var devicesByTheWallClock: [Int] {
        devices.indices.filter { devices[$0].goesByTheWallClock }
    }

    /// When its faults at random happen.
    package var timeOfRandomFaults: DurationRange { randomFaults?.between ?? 0...length }

    /// The length of a run whose file does not say it.
    package static let standardLength = Nanoseconds.seconds(60)

    /// A topology of these devices in which nothing happens by itself.
    package init(
        name: String = "", about: String = "", length: Nanoseconds = Topology.standardLength,
        devices: [DeviceSpec] = [], air: Air = Air(), links: [LinkSpec] = [], steps: [Step] = [],
        randomFaults: RandomFaults? = nil, expectations: [Expectation] = [],
        mustViolate: [String] = []
    ) {
        self.name = name
        self.about = about
        self.length = length
        self.devices = devices
        self.air = air
        self.links = links
        self.steps = steps
        self.randomFaults = randomFaults
        self.expectations = expectations
        self.mustViolate = mustViolate
    }
}

/// Parameters of the air; every link may have its own.
package struct Air: Codable, Equatable, Sendable {
    /// Bluetooth reach in millimetres; default 50 m.
    package var bluetoothRange: Int64 = 50_000
    /// The part of connection events that are lost on a good link; default 0.
    package var loss: Ratio = .zero
    /// How long the controller may take to hand a received packet to its host; default 2 ms.
    package var hostDelay: Nanoseconds = .milliseconds(2)
    /// How long a posted item may wait in its queue; default 1 ms.
    package var queueDelay: Nanoseconds = .milliseconds(1)
    /// L2CAP frames that one connection event carries each way; default 4.
    package var eventCapacity: Int = 4
    /// UWB reach in millimetres; default 40 m.
    package var uwbRange: Int64 = 40_000
    /// Half the width of the field of view in which direction is measured, in hundredths of a
    /// degree; default 60°.
    package var uwbFieldOfView: Int32 = 6_000
    /// Largest error of a distance either way, in millimetres; default 100.
    package var uwbNoise: Int64 = 100
    /// The part of ranging rounds that miss within reach; default 0.
    package var uwbLoss: Ratio = .zero
    /// UWB reach with extended distance, in millimetres; default 120 m.
    ///
    /// Apple gives no figure but "three times the range" of the chip before.
    package var uwbExtendedRange: Int64 = 120_000
    /// The part of ranging rounds that miss at the end of that reach; beyond the ordinary reach it grows with the
    /// distance; default a half, unpublished.
    package var uwbExtendedLoss = Ratio(1, 2)
    /// How often a radio learns from its peer that this has ended the session; nil: always where the peer says so, else
    /// never.
    package var uwbEndHeard: Ratio?
    /// How long after its start a session is ranged in every second block only; nil: always in each.
    ///
    /// A controller may skip blocks, and tells the other radio in-band (block striding, FiRa MAC); that is how a phone
    /// changes the rate that an accessory leaves to it (R4 3.4.3.1).
    package var uwbStrideAfter: Nanoseconds?
    /// How long a message on the network is on its way; default 1 ms … 20 ms.
    package var networkDelay: DurationRange = .milliseconds(1)...(.milliseconds(20))
    /// The part of what is sent on the network that is lost; default 0.
    ///
    /// What is sent reliably is sent again.
    package var networkLoss: Ratio = .zero
    /// How long the network waits for somebody who does not answer until a connection ends and a service is lost;
    /// default 10 s, unpublished.
    package var networkTimeout: Nanoseconds = .seconds(10)

    package init() {}
}

/// What differs between two particular devices.
package struct LinkSpec: Codable, Equatable, Sendable {
    package var between: DevicePair
    /// Loss on this link; nil for the air's.
    package var loss: Ratio?
    /// Host delay on this link; nil for the air's.
    package var hostDelay: Nanoseconds?
    /// Event capacity; nil for the air's.
    package var eventCapacity: Int?
    /// Whether something stands between them from the start.
    package var isObstructed: Bool

    /// A link like any other but for what is given.
    package init(
        between: DevicePair, loss: Ratio? = nil, hostDelay: Nanoseconds? = nil,
        eventCapacity: Int? = nil, isObstructed: Bool = false
    ) {
        self.between = between
        self.loss = loss
        self.hostDelay = hostDelay
        self.eventCapacity = eventCapacity
        self.isObstructed = isObstructed
    }
}

/// A wall, as high as the room, from one place on the ground to another one.
package struct Wall: Codable, Equatable, Sendable {
    package var from: Position
    package var to: Position

    package init(from: Position, to: Position) {
        self.from = from
        self.to = to
    }

    /// Whether the straight line between two places meets it.
    package func stands(between here: Position, and there: Position) -> Bool {
        Self.parts(here, there, from, to) && Self.parts(from, to, here, there)
    }

    /// Whether the line through `a` and `b` has `c` on one side and `d` on the other, or meets one of them.
    private static func parts(_ a: Position, _ b: Position, _ c: Position, _ d: Position) -> Bool {
        func side(_ p: Position) -> Int64 {
            ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)).signum()
        }
        return side(c) != side(d)
    }
}

/// Two devices; order matters only where a direction is meant (`from` → `to`).
package struct DevicePair: Codable, Equatable, Hashable, Sendable {
    /// The first one, or where it comes from.
    package var first: String
    /// The second one, or where it goes to.
    package var second: String

    package init(_ first: String, _ second: String) {
        self.first = first
        self.second = second
    }
}

/// One thing to do, and when.
package struct Step: Codable, Equatable, Sendable {
    /// When it is done.
    package enum Moment: Codable, Equatable, Sendable {
        /// At a time since the run began.
        case at(Nanoseconds)
        /// Each time (at most `times` times, skipping the first `skip`) the pattern was seen, `after`
        /// later.
        case when(EventPattern, after: Nanoseconds, skip: Int, times: Int)
    }

    package var moment: Moment
    package var verb: Verb
    /// As written, for the trace: `disconnect: [ben, lock]`.
    package var text: String
    /// Its line and column in the file.
    package var source: SourcePosition
    /// Which step it is the end of, by its place among the steps; nil for one that stands in the file.
    ///
    /// `hold: [lock, ben], for: 2s` is two steps. The n-th time, the second one ends what the first one
    /// began the n-th time, and nothing else.
    package var ends: Int?

    package init(
        moment: Moment, verb: Verb, text: String, source: SourcePosition, ends: Int? = nil
    ) {
        self.moment = moment
        self.verb = verb
        self.text = text
        self.source = source
        self.ends = ends
    }
}

/// What a step or a random fault does, and to whom.
package enum Verb: Codable, Equatable, Sendable {
    /// Something between two devices.
    case pair(DevicePair, PairVerb)
    /// Something in one device.
    case device(String, DeviceVerb)
}

/// What is done between two devices.
package enum PairVerb: Codable, Equatable, Sendable {
    /// Ends the link with an HCI reason. Default 0x13 seen by both.
    case disconnect(reason: UInt8)
    /// The ratio of connection events that are lost, for a time (nil: to the end).
    case loss(Ratio, duration: Nanoseconds?)
    /// The ratio of ranging rounds that miss; Bluetooth is as before.
    case uwbLoss(Ratio, duration: Nanoseconds?)
    /// Makes every packet wait this much longer.
    case delay(by: Nanoseconds, duration: Nanoseconds?)
    /// Frames per connection event.
    case throttle(to: Int, duration: Nanoseconds?)
    /// Nothing is handed over from `first` to `second` until released; order is kept.
    case hold
    /// The end of a hold.
    case release
    /// Out of reach of one another, both radios; `oneWay`: what `first` sends does not reach `second`.
    case partition(oneWay: Bool, duration: Nanoseconds?)
    /// The end of a partition.
    case repair
    /// Something stands between the two (`on`), or no more.
    case obstruct(on: Bool)
}

/// What is done to one device.
package enum DeviceVerb: Codable, Equatable, Sendable {
    /// Walks to a position; at once for a duration of 0.
    case move(to: Position, over: Nanoseconds)
    /// Turns to a heading and a pitch, in hundredths of a degree; at once for a duration of 0.
    case turn(heading: Int32, pitch: Int32, over: Nanoseconds)
    /// Is held in portrait orientation (`isUpright`), or in landscape.
    case rotate(isUpright: Bool)
    /// It is so bright where it is, in lux.
    case light(lux: UInt32)
    /// Kills the process after so many answers of its next turn; 0: at once, between turns.
    case kill(afterAnswers: Int)
    /// Starts a killed device again.
    case restart
    /// Stops the process between turns; its controller lives on.
    case freeze
    /// The end of a freeze.
    case thaw
    /// Makes everything that it posts to its queues wait this much longer.
    case busy(by: Nanoseconds, duration: Nanoseconds?)
    /// Changes the next `count` messages of this name (nil: of any) that leave it.
    case corrupt(message: String?, Corruption, count: Int)
    /// The UWB radio refuses the next `count` starts.
    case refuseUWB(count: Int, status: UInt8)
    /// A command to the device itself: `background`, `foreground`, `lock`, `suspend`, `resume`,
    /// `permission`, `bluetooth`, `terminate`, `launch`, `start`, `stop`, `invalidate`, … with arguments.
    case command(name: String, arguments: [Pair])
}

/// How a message is spoilt in its sender.
package enum Corruption: Codable, Equatable, Sendable {
    /// Every byte is replaced by a random one.
    case garbage
    /// Only the first so many bytes remain.
    case truncate(to: Int)
    /// So many random bytes are added.
    case extend(by: Int)
    /// One random bit is flipped.
    case flip
}

/// Faults drawn from the seed.
package struct RandomFaults: Codable, Equatable, Sendable {
    /// They happen within this time; nil for the whole run.
    package var between: DurationRange?
    /// Whether each run has some of the kinds only, each at an intensity of its own.
    ///
    /// A kind hides what another one would show, above all where all are at work all the time (Groce et
    /// al., ISSTA 2012).
    package var isSwarm: Bool
    /// Whether at the end of that time every disturbance ends, also those of the script.
    package var heals: Bool
    /// The kinds, each with its ratio per second of simulated time and target.
    package var rates: [Rate]

    /// One kind of random fault.
    package struct Rate: Codable, Equatable, Sendable {
        /// What: the name of a ``RandomFaultForm``.
        package var kind: String
        /// How likely in each second for each target.
        package var ratio: Ratio
        /// How long it lasts, in nanoseconds; drawn from this range.
        package var duration: DurationRange
        /// The devices, by name: where the file names none, all that it can hit.
        package var devices: [String]

        package init(
            kind: String, ratio: Ratio, duration: DurationRange, devices: [String]
        ) {
            self.kind = kind
            self.ratio = ratio
            self.duration = duration
            self.devices = devices
        }
    }

    package init(
        between: DurationRange? = nil, rates: [Rate], isSwarm: Bool = false, heals: Bool = false
    ) {
        self.between = between
        self.rates = rates
        self.isSwarm = isSwarm
        self.heals = heals
    }
}

/// Something a run must show: a property of the whole run, for which the run's end is final.
package struct Expectation: Codable, Equatable, Sendable {
    package var property: Property
    /// As written: `eventually within 10s: ni.didUpdate on ben`.
    package var text: String
    /// Its line and column in the file.
    package var source: SourcePosition

    package init(_ property: Property, text: String, source: SourcePosition) {
        self.property = property
        self.text = text
        self.source = source
    }
}

/// All that one run needs: topology and seed.
package struct Plan: Equatable, Sendable {
    package var topology: Topology
    /// The number from which everything that is drawn follows.
    package var seed: UInt64

    package init(topology: Topology, seed: UInt64) {
        self.topology = topology
        self.seed = seed
    }
}
