import Testing
import UV

@Suite struct ErrorTests {
    @Test func anErrorNamesFunctionReasonAndSubject() {
        let error = UVError(.notFound, in: "uv_spawn", about: "/nowhere/lock")
        #expect("\(error)" == "uv_spawn: no such file or directory (ENOENT): /nowhere/lock")
        #expect("\(UVError(.brokenPipe, in: "write"))" == "write: broken pipe (EPIPE)")
    }

    @Test func anUnknownCodeHasWordsToo() {
        #expect("\(UVError.Code(rawValue: -9999))" == "Unknown system error -9999")
    }

    @Test(arguments: [
        (.kill, "SIGKILL"), (.interrupt, "SIGINT"), (SignalNumber(rawValue: 11), "SIGSEGV"),
        (SignalNumber(rawValue: 31), "SIGSYS"), (SignalNumber(rawValue: 34), "signal 34"),
        (SignalNumber(rawValue: 0), "signal 0"),
    ])
    func aSignalPrintsItsName(signal: SignalNumber, name: String) {
        #expect("\(signal)" == name)
    }
}
