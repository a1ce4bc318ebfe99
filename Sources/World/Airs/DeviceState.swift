import Basics
package import DeviceLink
package import Scenarios
package import Traces

/// What the core knows of one device.
package struct DeviceState: Sendable {
    package let spec: DeviceSpec
    package let name: String
    package let role: DeviceRole
    /// Whether it is a host that speaks HCI.
    let isBehindHCI: Bool
    package let address: Address
    /// The address as observations write it.
    package let addressText: String
    /// Others that it has shown, in the same way.
    private(set) var shownAddresses: [String] = []
    package var motion: Motion
    package var turning: Turning
    /// Whether it is held in portrait orientation.
    package var isUpright = true
    /// How bright it is where it is, in lux.
    package var light: UInt32
    /// Its camera, as long as that is on.
    package var camera: CameraState?
    /// How often this life has switched it on.
    package var cameraStarts = 0
    package private(set) var starts: UInt32 = 0
    /// Which of its lives this is: the first one is 0.
    package private(set) var incarnation: UInt32 = 0
    /// The device and which of its lives this is, as labels name it: `ben/0`.
    package private(set) var life: String
    package var isAlive = false
    package var isFrozen = false
    /// Whether it was granted a turn that has not ended.
    package var hasTurn = false
    /// Set by a fault: the device dies in its next turn, after so many answers.
    package var killAfterAnswers: Int?
    /// How much longer its queues keep what it posts to them (a fault), in nanoseconds.
    package var queueWait: UInt64 = 0

    package init(_ spec: DeviceSpec) {
        self.spec = spec
        name = spec.name
        role = spec.role
        isBehindHCI = spec.host != nil
        address = Self.address(of: spec.name)
        addressText = address.description
        life = String(joining: spec.name, "/0")
        motion = Motion(from: spec.position, along: spec.path)
        turning = Turning(from: Aim(heading: Geometry.normalized(Int64(spec.heading)), pitch: 0))
        isUpright = spec.isUpright
        light = spec.light
    }

    /// The static random address of a name: the two most significant bits are set (Core Spec Vol 6
    /// Part B 1.3.2.1).
    package static func address(of name: String) -> Address {
        Address(Keyed(0).with("address").with(name).value & 0xFFFF_FFFF_FFFF | 0xC000_0000_0000)
    }

    /// Keeps an address that it shows from now on.
    package mutating func show(_ address: Address) {
        let text = address.description
        if text != addressText, !shownAddresses.contains(text) { shownAddresses.append(text) }
    }

    /// Whether an observation means it by an address.
    fileprivate func isMeant(by text: String) -> Bool {
        addressText == text || shownAddresses.contains(text)
    }

    /// Another life begins.
    package mutating func start() {
        if starts > 0 {
            incarnation += 1
            life = String(joining: name, "/", String(incarnation))
        }
        starts += 1
        cameraStarts = 0
        isAlive = true
        killAfterAnswers = nil
    }
}

extension Breach {
    /// A device wants one more of something than it may have.
    package static func oneMore(than most: Int, _ things: String) -> Breach {
        Breach(at: 0, expected: "at most \(most) \(things)", found: "one more")
    }
}

package struct CameraState: Sendable {
    /// From one frame to the next, in nanoseconds.
    package let interval: UInt64
    /// The channel of its frames, and the one to its host.
    package let frames: Int
    package let toHost: Int

    package init(interval: UInt64, frames: Int, toHost: Int) {
        (self.interval, self.frames, self.toHost) = (interval, frames, toHost)
    }
}

extension DeviceSpec {
    /// Whether a system around the app, somebody else's or ours, keeps the Bluetooth controller alive when the process
    /// dies.
    package var hasSystem: Bool { role == .appleDevice }
}

extension [DeviceState] {
    /// The name of the device that an observation means by an address; in this module, where no device is copied to be
    /// looked at.
    package func name(meantBy text: String) -> String? {
        for place in indices where self[place].isMeant(by: text) { return self[place].name }
        return nil
    }
}
