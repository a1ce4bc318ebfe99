/// What a device can measure.
public protocol NIDeviceCapability: Sendable {
    /// Whether it measures distances by UWB at all.
    var supportsPreciseDistanceMeasurement: Bool { get }
    /// Whether it measures directions.
    var supportsDirectionMeasurement: Bool { get }
    /// Whether the camera can help it.
    var supportsCameraAssistance: Bool { get }
    /// Whether it measures long distances (second generation of the chip).
    var supportsExtendedDistanceMeasurement: Bool { get }
}

/// The capabilities of a model, or of an accessory.
package struct DeviceCapabilities: NIDeviceCapability, Equatable {
    package var supportsPreciseDistanceMeasurement: Bool
    package var supportsDirectionMeasurement: Bool
    package var supportsCameraAssistance: Bool
    package var supportsExtendedDistanceMeasurement: Bool

    package init(distance: Bool, direction: Bool, camera: Bool, extendedDistance: Bool) {
        supportsPreciseDistanceMeasurement = distance
        supportsDirectionMeasurement = direction
        supportsCameraAssistance = camera
        supportsExtendedDistanceMeasurement = extendedDistance
    }

    /// What an accessory is known to measure.
    package static let accessory = Self(
        distance: true, direction: false, camera: false, extendedDistance: false)

    /// As a token has them, one bit each.
    init(bits: UInt8) {
        self.init(
            distance: bits & 1 != 0, direction: bits & 2 != 0, camera: bits & 4 != 0,
            extendedDistance: bits & 8 != 0)
    }

    var bits: UInt8 {
        [
            supportsPreciseDistanceMeasurement, supportsDirectionMeasurement,
            supportsCameraAssistance, supportsExtendedDistanceMeasurement,
        ].enumerated().reduce(0) { $0 | ($1.element ? 1 << $1.offset : 0) }
    }
}
