import Airs
import Basics
import DeviceLink
import Scenarios

/// Cameras and motion sensors: what a device may know of itself.
extension WorldState {
    /// Switches the camera of a device on, with so many milliseconds from frame to frame, or off.
    mutating func switchCamera(of device: Int, to interval: UInt16) {
        if let camera = devices[device].camera {
            agenda.close(camera.frames)
            agenda.close(camera.toHost)
            devices[device].camera = nil
        }
        guard interval > 0 else { return }
        devices[device].cameraStarts += 1
        let label = String(
            joining: "camera ", life(of: device), " ", String(devices[device].cameraStarts))
        let camera = CameraState(
            interval: .milliseconds(UInt64(interval)), frames: agenda.open(label),
            toHost: agenda.open(String(joining: label, " to host"), device: device))
        devices[device].camera = camera
        scheduleFrame(of: device, by: camera)
    }

    mutating func takeFrame(_ device: Int) {
        guard let camera = devices[device].camera else { return }
        let aim = surroundings.aim(of: device)
        let frame = CameraFrame(
            place: RoomPlace(surroundings.position(of: device)), heading: Int16(aim.heading),
            pitch: Int16(aim.pitch), isUpright: devices[device].isUpright,
            light: devices[device].light)
        deliver(
            .camera(frame), to: device, in: camera.toHost, earliest: now,
            latest: now + topology.air.hostDelay)
        scheduleFrame(of: device, by: camera)
    }

    private mutating func scheduleFrame(of device: Int, by camera: CameraState) {
        let moment = now + camera.interval
        agenda.add(
            .frame(device: device), to: camera.frames, earliest: moment, latest: moment)
    }
}
