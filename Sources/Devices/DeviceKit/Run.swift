import CDevice
import Glibc

/// The main program of a device's executable: speaks the contract of DEVICE-LINK.md to the
/// orchestrator that started it, until that has no more runs for it.
///
/// Never returns.
///
/// - Parameters:
///   - type: The device that the program can be.
///   - program: The program's name for people, for example `accessory`.
///   - keepsGlobalState: Whether a new `Device` does not begin afresh; each reset then gets a new process, a copy of
///     this one.
public func run(
    _ type: any Device.Type, program: String, keepsGlobalState: Bool = false
) -> Never {
    let isAfresh = keepsGlobalState || getenv("ANECHOIC_AFRESH") != nil
    run(program, isAfreshByReset: isAfresh) { link throws(ProcessFailure) in
        guard !isAfresh else { return try serveInChildren(type, on: link) }
        var device = FramedDevice(InlineDevice(type, log: writeLine))
        try device.serve(on: link)
    }
}

/// As the other `run`, for devices that each begin afresh by their own doing; `make` makes what takes a device's
/// events.
package func run(
    program: String,
    making make: @escaping (Reset, Context) throws(Refusal) -> (DeviceEvent) -> Void
) -> Never {
    run(program, isAfreshByReset: true) { link throws(ProcessFailure) in
        var device = FramedDevice(InlineDevice(log: writeLine, making: make))
        try device.serve(on: link)
    }
}

/// Opens the link, says hello, and lets `serve` do what the orchestrator says, until that says farewell or is gone.
private func run(
    _ program: String, isAfreshByReset: Bool,
    serve: (DescriptorLink) throws(ProcessFailure) -> Void
) -> Never {
    _ = signal(SIGPIPE, SIG_IGN)
    cdevice_print_by_line()
    do throws(ProcessFailure) {
        let transport = try Transport.fromEnvironment()
        dieWithParent()
        let link = try transport.open()
        let hello = Hello(program: program, isAfreshByReset: isAfreshByReset)
        guard try link.write(try DeviceFrame.hello(hello).bytes) else { exit(EXIT_SUCCESS) }
        try serve(link)
        exit(EXIT_SUCCESS)
    } catch {
        writeLine("\(program): \(error.sentence)")
        exit(error.status)
    }
}

/// The entry of a device's program that is loaded into the orchestrator's process (`--hosting inline`), in place of
/// `run`: the orchestrator calls the C function `anechoic_device` of the program, and that calls this.
///
/// - Parameters:
///   - type: The device that the program can be.
///   - program: The program's name for people.
///   - host: What `anechoic_device` was called with.
///   - problem: Why it cannot be, in a sentence without a full stop; nil where it can.
public func load(
    _ type: any Device.Type, program: String, into host: UnsafeMutableRawPointer,
    unless problem: String? = nil
) {
    let joint = host.assumingMemoryBound(to: cdevice_joint.self)
    // Where the layout is another version's, that misses our hello.
    guard joint.pointee.version == CDEVICE_JOINT else { return }
    LoadedDevice(type, at: joint).join(Hello(program: program), unless: problem)
}
