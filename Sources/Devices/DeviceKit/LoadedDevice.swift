import CDevice

/// A device in the orchestrator's process, though of another program: frames go through a joint in place of a link.
final class LoadedDevice {
    private var device: FramedDevice
    private let joint: UnsafeMutablePointer<cdevice_joint>

    /// A device at a joint, which outlives it.
    init(_ type: any Device.Type, at joint: UnsafeMutablePointer<cdevice_joint>) {
        self.joint = joint
        device = FramedDevice(InlineDevice(type) { Self.hand($0 + "\n", to: joint) })
    }

    /// Says hello, and is there for as long as the process is; or says what is wrong with it, and nothing more.
    func join(_ hello: Hello, unless problem: String?) {
        if let problem { return Self.hand(problem + "\n", to: joint) }
        joint.pointee.device = Unmanaged.passRetained(self).toOpaque()
        joint.pointee.hear = { device, bytes, count in
            Unmanaged<LoadedDevice>.fromOpaque(device).takeUnretainedValue()
                .hear(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        do throws(ProcessFailure) { say(try DeviceFrame.hello(hello).bytes) } catch {
            explain(error)
        }
    }

    private func hear(_ bytes: UnsafeRawBufferPointer) {
        cdevice_print_to_joint(joint)
        defer { cdevice_print_to_process() }
        device.hear(bytes)
        do throws(ProcessFailure) {
            _ = try device.serve { bytes throws(ProcessFailure) in
                say(bytes)
                return true
            }
        } catch { explain(error) }
    }

    /// A failure ends a program that has a process; here the orchestrator misses the frame, after a line that says why.
    private func explain(_ failure: ProcessFailure) {
        Self.hand(failure.sentence + "\n", to: joint)
    }

    private func say(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return }
            joint.pointee.say(joint.pointee.host, first, bytes.count)
        }
    }

    private static func hand(_ text: String, to joint: UnsafeMutablePointer<cdevice_joint>) {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return }
            joint.pointee.log(joint.pointee.host, first, bytes.count)
        }
    }
}
