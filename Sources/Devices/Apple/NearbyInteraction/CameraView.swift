import DeviceKit

/// What of an object the camera shows an app.
struct CameraView: Equatable {
    /// The angle in the horizontal plane, in hundredths of a degree; nil before it is found.
    let angle: Int16?
    let vertical: NINearbyObject.VerticalDirectionEstimate

    /// Nothing is known.
    static let unknown = CameraView(angle: nil, vertical: .unknown)

    /// What the observation says of it.
    var fields: [Field] {
        [
            Field("angle", angle.map { .number(Int64($0)) } ?? .none),
            Field("vertical", .text("\(vertical)")),
        ]
    }
}
