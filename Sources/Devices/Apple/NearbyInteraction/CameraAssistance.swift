import ARKit
import DeviceKit

/// What a device has found out about a nearby object with the help of its camera, in one run of a session: a pure value.
///
/// Apple says what the user is asked to do until the algorithm has converged (`NIAlgorithmConvergenceStatus.Reason`) and not
/// how much of it; how much is in ``Needs``.
struct CameraAssistance: Equatable {
    /// How much it takes.
    struct Needs: Equatable, Sendable {
        /// How far the device has to have moved, in millimetres.
        var movement: Int64
        /// How far it has to have been turned to the side and up, in hundredths of a degree.
        var horizontalSweep: Int64
        var verticalSweep: Int64
        /// How bright it has to be, in lux.
        var light: UInt32
        /// How far from where it was found the object may be measured, in millimetres, unless what moves is found, too.
        var drift: Int64
        /// Whether the object has to have been in the antennas' field of view once: where there are antennas for that.
        var hasToBeMet: Bool
        /// Whether also what moves is found: with extended distance (Apple, *Extending advanced direction finding and
        /// ranging*).
        var followsObject: Bool
    }

    typealias Status = NIAlgorithmConvergenceStatus

    let needs: Needs
    private var travelled: Int64 = 0
    private var headings = Sweep()
    private var pitches = Sweep()
    private var isMet = false
    private var lastFrame: CameraFrame?
    /// Where the object was found first.
    private var found: RoomPlace?
    /// Where it was measured last.
    private(set) var place: RoomPlace?
    /// How many rounds in a row have measured nothing in line of sight.
    private var lostRounds = Self.signalRounds
    /// What was told last.
    private(set) var status = Status.unknown

    /// So many rounds in a row without a signal are one reason.
    private static let signalRounds = 3

    init(_ needs: Needs) { self.needs = needs }

    /// What of the object the app is shown: the angle in the horizontal plane, and whether it is above or below.
    func view(of sight: UWBSight) -> CameraView {
        switch status {
        case .converged: CameraView(angle: sight.horizontal, vertical: sight.estimate)
        // The distance alone says that the object is on another level, and not on which.
        case .notConverged([.insufficientVerticalSweep]):
            CameraView(
                angle: sight.horizontal,
                vertical: sight.estimate == .same ? .same : .aboveOrBelow)
        case .unknown, .notConverged: .unknown
        }
    }

    /// Whether the object is known as well as the camera lets it be.
    var isConverged: Bool { status == .converged }

    /// Takes a frame; says whether the status is another one now.
    mutating func take(_ frame: CameraFrame) -> Bool {
        // In the dark nobody sees how the device moves.
        if frame.light >= needs.light {
            if let lastFrame { travelled += lastFrame.place.distance(to: frame.place) }
            headings.add(Int64(frame.heading))
            pitches.add(Int64(frame.pitch))
        }
        lastFrame = frame
        return update()
    }

    /// Takes a ranging round; says whether the status is another one now.
    mutating func take(_ measurement: UWBMeasurement?) -> Bool {
        if let measurement, measurement.isLineOfSight, let sight = measurement.sight {
            lostRounds = 0
            isMet = isMet || sight.isInView
            follow(to: sight.place)
        } else {
            lostRounds += 1
        }
        return update()
    }

    /// The camera gives nothing any more; says whether the status is another one now.
    mutating func loseCamera() -> Bool {
        lastFrame = nil
        forgetWay()
        return update()
    }

    /// An object that moves is found only with extended distance; else all begins anew.
    private mutating func follow(to place: RoomPlace) {
        self.place = place
        guard let found else { return self.found = place }
        guard !needs.followsObject, found.distance(to: place) > needs.drift else { return }
        self.found = place
        forgetWay()
    }

    private mutating func forgetWay() {
        travelled = 0
        headings = Sweep()
        pitches = Sweep()
    }

    private mutating func update() -> Bool {
        let before = status
        status =
            lastFrame.map { frame in
                let missing = missing(in: frame)
                return missing.isEmpty ? .converged : .notConverged(missing)
            } ?? .unknown
        return status != before
    }

    private func missing(in frame: CameraFrame) -> [Status.Reason] {
        let isTurned = headings.width >= needs.horizontalSweep && (isMet || !needs.hasToBeMet)
        let conditions: [(reason: Status.Reason, isMet: Bool)] = [
            (.insufficientMovement, travelled >= needs.movement),
            (.insufficientHorizontalSweep, isTurned),
            (.insufficientVerticalSweep, pitches.width >= needs.verticalSweep),
            (.insufficientLighting, frame.light >= needs.light),
            (.insufficientSignalStrength, lostRounds < Self.signalRounds),
        ]
        return conditions.filter { !$0.isMet }.map(\.reason)
    }
}

/// How far something was turned to and fro.
private struct Sweep: Equatable {
    private var last: Int64?
    private var turned: Int64 = 0
    private var range: ClosedRange<Int64> = 0...0

    /// In hundredths of a degree.
    var width: Int64 { range.upperBound - range.lowerBound }

    mutating func add(_ angle: Int64) {
        if let last {
            // The shorter way around.
            var step = (angle - last) % 36_000
            if step > 18_000 { step -= 36_000 }
            if step < -18_000 { step += 36_000 }
            turned += step
        }
        last = angle
        range = min(range.lowerBound, turned)...max(range.upperBound, turned)
    }
}

extension UWBSight {
    /// What is no more than 15° above or below is on the same level; unpublished.
    fileprivate var estimate: NINearbyObject.VerticalDirectionEstimate {
        vertical > 1_500 ? .above : vertical < -1_500 ? .below : .same
    }
}

extension RoomPlace {
    /// In millimetres, rounded down.
    fileprivate func distance(to other: RoomPlace) -> Int64 {
        let (x, y, z) = (
            Int64(other.x) - Int64(self.x), Int64(other.y) - Int64(self.y),
            Int64(other.z) - Int64(self.z)
        )
        // Exact to 2⁵³, which is beyond any room.
        return Int64(Double(x * x + y * y + z * z).squareRoot())
    }
}
