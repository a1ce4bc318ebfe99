public import AppleSimd
package import DeviceKit

/// What the camera and the motion sensors know at one moment; there is no picture.
public final class ARFrame {
    /// When, in seconds since the device was switched on.
    public let timestamp: TimeInterval
    /// Where the camera is.
    public let camera: ARCamera
    /// How bright it is.
    public let lightEstimate: ARLightEstimate?

    init(_ frame: CameraFrame, from origin: CameraFrame, isDark: Bool, at moment: VirtualTime) {
        timestamp = Double(moment.nanoseconds) / 1_000_000_000
        camera = ARCamera(
            transform: origin.transform(of: frame),
            trackingState: isDark ? .limited(.insufficientFeatures) : .normal)
        lightEstimate = ARLightEstimate(ambientIntensity: Double(frame.light))
    }
}

/// Where the camera is, and how well that is known.
public final class ARCamera {
    /// Position and orientation in the session's space, in metres; the axes are those of a device that is held with its
    /// home button to the right.
    public let transform: simd_float4x4
    /// How well they are known.
    public let trackingState: TrackingState

    /// How well the position is known.
    public enum TrackingState: Equatable, Sendable {
        case notAvailable
        case limited(Reason)
        case normal

        /// Why it is not known better.
        public enum Reason: Sendable {
            case initializing, excessiveMotion, insufficientFeatures, relocalizing
        }
    }

    init(transform: simd_float4x4, trackingState: TrackingState) {
        (self.transform, self.trackingState) = (transform, trackingState)
    }
}

/// How bright it is.
public final class ARLightEstimate {
    /// In lumen, of which Apple says that 1000 is well lit; here the lux of the topology.
    public let ambientIntensity: Double

    init(ambientIntensity: Double) { self.ambientIntensity = ambientIntensity }
}

// A session's space begins at its first frame: y up, and -z where the device looked.
extension CameraFrame {
    /// A place of the room, in metres of the space that begins at this frame.
    package func position(of place: RoomPlace) -> simd_float3 {
        let (sine, cosine) = (Angle.sine(Int(heading)), Angle.cosine(Int(heading)))
        let right = Double(place.x) - Double(self.place.x)
        let ahead = Double(place.y) - Double(self.place.y)
        let up = Double(place.z) - Double(self.place.z)
        return [
            Float((right * cosine - ahead * sine) / 1_000), Float(up / 1_000),
            Float(-(right * sine + ahead * cosine) / 1_000),
        ]
    }

    /// Position and orientation of a camera there.
    fileprivate func transform(of frame: CameraFrame) -> simd_float4x4 {
        let yaw = Int(heading) - Int(frame.heading)
        let (sine, cosine) = (Float(Angle.sine(yaw)), Float(Angle.cosine(yaw)))
        let (rise, run) = (
            Float(Angle.sine(Int(frame.pitch))), Float(Angle.cosine(Int(frame.pitch)))
        )
        let right: simd_float4 = [cosine, 0, -sine, 0]
        let up: simd_float4 = [sine * rise, run, cosine * rise, 0]
        let back: simd_float4 = [sine * run, -rise, cosine * run, 0]
        // Upright, the side with the home button is below.
        return simd_float4x4(
            frame.isUpright ? -up : right, frame.isUpright ? right : up, back,
            simd_float4(position(of: frame.place), 1))
    }
}
