import DeviceKit

/// A nearby object, as it was measured last.
public final class NINearbyObject: Hashable, CustomStringConvertible {
    /// Why an object is no longer nearby.
    public enum RemovalReason: Int, Sendable {
        /// Nothing was heard of it for too long.
        case timeout = 0
        /// It said that it ended.
        case peerEnded = 1
    }

    /// The token of the object; of an accessory, that of its configuration.
    public let discoveryToken: NIDiscoveryToken
    /// Distance in metres; nil where it could not be measured.
    public let distance: Float?
    /// A vector of length 1 from the device to the object: x to the right of the screen, y up, z
    /// towards the user.
    ///
    /// Nil outside the field of view, unless the camera has found it, and on models that do not measure directions.
    public let direction: simd_float3?
    /// The angle to the object in the horizontal plane, in radians, clockwise; nil before the camera has found it
    /// (iOS 16).
    public let horizontalAngle: Float?
    /// Whether the object is above or below, as far as the camera can tell (iOS 16).
    public let verticalDirectionEstimate: VerticalDirectionEstimate

    /// Where an object is, as far as the camera can tell.
    public enum VerticalDirectionEstimate: Int, Sendable {
        case unknown = 0
        case same = 1
        case above = 2
        case below = 3
        case aboveOrBelow = 4
    }

    init(
        _ token: NIDiscoveryToken, measurement: UWBMeasurement? = nil, view: CameraView = .unknown
    ) {
        discoveryToken = token
        horizontalAngle = view.angle.map { Float(Double($0) * .pi / 18_000) }
        verticalDirectionEstimate = view.vertical
        distance = measurement.map { Float($0.distance) / 1_000 }
        direction = measurement.flatMap(Self.direction)
    }

    private static func direction(of measurement: UWBMeasurement) -> simd_float3? {
        guard let azimuth = measurement.azimuth.map(Int.init),
            let elevation = measurement.elevation.map(Int.init)
        else { return nil }
        let flat = Angle.cosine(elevation)
        return simd_float3(
            Float(Angle.sine(azimuth) * flat), Float(Angle.sine(elevation)),
            Float(-Angle.cosine(azimuth) * flat))
    }

    /// Whether both are the same measurement of the same object.
    public static func == (left: NINearbyObject, right: NINearbyObject) -> Bool {
        left.discoveryToken == right.discoveryToken && left.distance == right.distance
            && left.direction == right.direction && left.horizontalAngle == right.horizontalAngle
            && left.verticalDirectionEstimate == right.verticalDirectionEstimate
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(discoveryToken) }

    /// The token and the measurement.
    public var description: String {
        let distance = distance.map { "\($0) m" } ?? "no distance"
        let direction = direction.map { "\($0)" } ?? "no direction"
        return "NINearbyObject \(discoveryToken): \(distance), \(direction)"
    }
}

extension NINearbyObject.RemovalReason {
    package var name: String { "\(self)" }
}
