internal import CDevice
internal import Glibc

/// The main program of a device's executable: speaks the contract of DEVICE-LINK.md to the
/// orchestrator that started it, until that has no more runs for it.
///
/// Never returns.
///
/// - Parameters:
///   - type: The device that the program can be.
///   - program: The program's name for people, for example `accessory`.
///   - keepsGlobalState: Whether a new `Device` does not begin afresh; the program then gets a new
///     process for every run.
public func run(
    _ type: any Device.Type, program: String, keepsGlobalState: Bool = false
) -> Never {
    _ = signal(SIGPIPE, SIG_IGN)
    cdevice_print_by_line()
    let hello = Hello(program: program, keepsGlobalState: keepsGlobalState)
    do throws(DeviceFailure) {
        let transport = try Transport.fromEnvironment()
        dieWithParent()
        var process = DeviceProcess(type, on: try transport.open())
        try process.serve(hello)
        exit(EXIT_SUCCESS)
    } catch {
        writeLine("\(program): \(error.sentence)")
        exit(error.status)
    }
}
