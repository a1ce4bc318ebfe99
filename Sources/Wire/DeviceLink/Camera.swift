/// What a device's camera and motion sensors tell in a frame (since 1.5): no picture, but what one is good for here.
public struct CameraFrame: Equatable, Sendable {
    /// Where the device is in the room, in millimetres: to the right, ahead, up.
    public var place: RoomPlace
    /// Where it looks, in hundredths of a degree, clockwise from ahead: -18000 … 18000.
    public var heading: Int16
    /// How far up it looks, in hundredths of a degree: -9000 … 9000.
    public var pitch: Int16
    /// Whether it is held upright: in portrait orientation.
    public var isUpright: Bool
    /// How bright it is, in lux.
    public var light: UInt32

    public init(place: RoomPlace, heading: Int16, pitch: Int16, isUpright: Bool, light: UInt32) {
        self.place = place
        self.heading = heading
        self.pitch = pitch
        self.isUpright = isUpright
        self.light = light
    }
}

/// A place in the room, in millimetres from its origin.
public struct RoomPlace: Equatable, Sendable {
    /// To the right.
    public var x: Int32
    /// Ahead.
    public var y: Int32
    /// Up.
    public var z: Int32

    public init(x: Int32, y: Int32, z: Int32) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// Where a peer is, as a device can find it out whose camera is on (since 1.5): its way through the room, and the
/// distances on that way, say more than its antennas.
public struct UWBSight: Equatable, Sendable {
    /// Whether the peer is in the antennas' field of view, so that they alone would have given the angles.
    public var isInView: Bool
    /// The angle to the peer in the horizontal plane, in hundredths of a degree, clockwise from where the device looks:
    /// -18000 … 18000.
    public var horizontal: Int16
    /// How far above the horizon the peer is seen, in hundredths of a degree: -9000 … 9000.
    public var vertical: Int16
    /// Where that is.
    public var place: RoomPlace

    public init(isInView: Bool, horizontal: Int16, vertical: Int16, place: RoomPlace) {
        self.isInView = isInView
        self.horizontal = horizontal
        self.vertical = vertical
        self.place = place
    }
}

extension CameraFrame {
    func encode(into out: inout ByteWriter) {
        place.encode(into: &out)
        out.put(heading)
        out.put(pitch)
        out.put(isUpright)
        out.put(light)
    }

    init(from reader: inout FrameFields) throws(LinkError) {
        self.init(
            place: try RoomPlace(from: &reader), heading: try reader.integer("a heading"),
            pitch: try reader.integer("a pitch"), isUpright: try reader.flag("upright"),
            light: try reader.integer("a light"))
    }
}

extension RoomPlace {
    fileprivate func encode(into out: inout ByteWriter) {
        out.put(x)
        out.put(y)
        out.put(z)
    }

    fileprivate init(from reader: inout FrameFields) throws(LinkError) {
        self.init(
            x: try reader.integer("a place"), y: try reader.integer("a place"),
            z: try reader.integer("a place"))
    }
}

extension UWBSight {
    func encode(into out: inout ByteWriter) {
        out.put(isInView)
        out.put(horizontal)
        out.put(vertical)
        place.encode(into: &out)
    }

    init(from reader: inout FrameFields) throws(LinkError) {
        self.init(
            isInView: try reader.flag("in view"), horizontal: try reader.integer("an angle"),
            vertical: try reader.integer("an angle"), place: try RoomPlace(from: &reader))
    }
}
