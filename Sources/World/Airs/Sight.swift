import Scenarios

/// Where one device sees another one, in hundredths of a degree.
struct Sight {
    /// From where it looks: clockwise, and up.
    let azimuth: Int64
    let elevation: Int64
    /// How far off its axis that is.
    let offAxis: Int64
    /// In the room: clockwise from where it looks on the ground, and above the horizon.
    let horizontal: Int64
    let vertical: Int64

    init(from device: Int, to peer: Int, in surroundings: Surroundings) {
        let (here, there) = (surroundings.position(of: device), surroundings.position(of: peer))
        let (x, y, z) = (there.x - here.x, there.y - here.y, there.z - here.z)
        let away = Int64(Geometry.squareRoot(UInt64(x * x + y * y)))
        let aim = surroundings.aim(of: device)
        horizontal = Geometry.normalized(Geometry.arcTangent(y: x, x: y) - aim.heading)
        vertical = Geometry.arcTangent(y: z, x: away)
        guard aim.pitch != 0 else {
            (azimuth, elevation) = (horizontal, vertical)
            offAxis = Geometry.angleOffAxis(azimuth: horizontal, ahead: away, up: z)
            return
        }
        let (ahead, aside) = Geometry.turned((away, 0), by: horizontal)
        let (front, up) = Geometry.turned((ahead, z), by: -aim.pitch)
        azimuth = Geometry.arcTangent(y: aside, x: front)
        let flat = Int64(Geometry.squareRoot(UInt64(front * front + aside * aside)))
        elevation = Geometry.arcTangent(y: up, x: flat)
        let off = Int64(Geometry.squareRoot(UInt64(aside * aside + up * up)))
        offAxis = Geometry.arcTangent(y: off, x: front)
    }
}
