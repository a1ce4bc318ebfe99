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
}
