import AppleDevice
import AppleInline
import CDevice
import CTimeAndChance
import DeviceKit

/// What an app has for as long as its process lives.
final class Launches {
    nonisolated(unsafe) static let shared = Launches()
    var count = 0
}

/// An app that prints, and this program as the orchestrator that has loaded it: it says what the app says.
final class Parrot: SimulatedApp {
    init(_ launch: AppLaunch) {
        Launches.shared.count += 1
        print("launched on \(launch.device), launch \(Launches.shared.count)")
    }
}

/// The way between the two, of a version.
func joint(version: UInt32) -> UnsafeMutablePointer<cdevice_joint> {
    let joint = UnsafeMutablePointer<cdevice_joint>.allocate(capacity: 1)
    joint.initialize(
        to: cdevice_joint(
            version: version, host: UnsafeMutableRawPointer(joint),
            say: { _, bytes, count in
                var reader = FrameReader()
                reader.append(UnsafeRawBufferPointer(start: bytes, count: count))
                while let frame = try? reader.nextDeviceFrame() { tell(frame) }
            },
            log: { _, bytes, count in
                let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
                tellLog(String(decoding: bytes, as: UTF8.self))
            }, device: nil, hear: nil))
    return joint
}

/// What was said and logged.
nonisolated(unsafe) var lines: [String] = []

func tell(_ frame: DeviceFrame) {
    if case .answers(let turn, _) = frame {
        lines.append("answers of turn \(turn)")
    } else {
        lines.append("\(frame)")
    }
}

func tellLog(_ text: String) { lines.append("log: \(text.dropLast())") }

func say(_ frame: OrchestratorFrame, at joint: UnsafeMutablePointer<cdevice_joint>) throws {
    var bytes: [UInt8] = []
    try frame.encode(into: &bytes)
    if let device = joint.pointee.device { joint.pointee.hear?(device, bytes, bytes.count) }
}

let old = joint(version: 0)
AppleInline.load(Parrot.self, program: "parrot", into: old)
lines.append(old.pointee.hear == nil ? "nobody at version 0" : "somebody at version 0")

let ours = joint(version: UInt32(CDEVICE_JOINT))
AppleInline.load(Parrot.self, program: "parrot", into: ours)
try say(.reset(Reset(name: "ben", model: "iPhone17,1")), at: ours)
try say(.grant(turn: 7, now: .zero, .boot), at: ours)
try say(.reset(Reset(name: "amy", model: "iPhone17,1")), at: ours)
try say(.grant(turn: 8, now: .zero, .boot), at: ours)

let early = joint(version: UInt32(CDEVICE_JOINT))
AppleInline.load(Parrot.self, program: "parrot", into: early)
try say(.grant(turn: 1, now: .zero, .boot), at: early)

for line in lines { print(line) }
