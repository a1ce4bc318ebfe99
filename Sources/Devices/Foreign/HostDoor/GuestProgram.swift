import CHostDoor
import DeviceKit
import Glibc
import Vocabulary

/// A program that plays guests: started anew for each life, or copied from one that was started once; or one that
/// goes by the wall clock, and is no guest.
///
/// A copy is made where the program reaches for its controller. By then it has loaded and set up what it needs
/// (Python takes a second for that), and nothing has happened yet that belongs to a run.
final class GuestProgram {
    let host: HostProgram
    /// To its controller.
    let channel: HostChannel
    /// To its UWB chip, where it has one.
    let chip: HostChannel?
    /// The process that makes copies, and what the program had printed by then.
    private struct Server {
        let control: GuestControl
        let pid: pid_t
        let printed: [UInt8]
    }

    /// Nil until it is there, and where the program cannot be copied.
    private var server: Server?
    private var isTried = false
    private let log: (String) -> Void

    /// - Throws: `Refusal` where the program can be no guest, or has no way to its controller.
    init(_ host: HostProgram, log: @escaping (String) -> Void) throws(Refusal) {
        self.host = host
        self.log = log
        channel = try HostChannel(host.transport, host.side, number: 0)
        chip = host.hasChip ? try HostChannel(.unix, .listen, number: 1) : nil
        if host.clock == .virtual { try GuestCheck.check(host.path) }
    }

    func begin(seed: UInt64, at now: VirtualTime) -> GuestLife {
        forget()
        if !isTried { startServer() }
        if let server, let life = copy(of: server, seed: seed, at: now) {
            // As if it had been started just now.
            Self.printAgain(server.printed)
            return life
        }
        return start(seed: seed, at: now)
    }

    func beginByTheWallClock() -> FreeLife {
        forget()
        let pid = spawnProgram(["PYTHONUNBUFFERED=1"], control: -1, output: -1)
        guard pid > 0 else { leave("cannot start \(host.path)") }
        return FreeLife(pid: pid)
    }

    private func forget() {
        channel.forget()
        chip?.forget()
    }

    // MARK: Copies

    private func startServer() {
        isTried = true
        // What it prints belongs to each copy, or to nobody if there will be none.
        let output = chostdoor_file()
        defer { if output >= 0 { close(output) } }
        let (control, pid) = spawn(["ANECHOIC_GUEST_FORKS=1"], output: output)
        while true {
            switch control.hear() {
            case .note(let text): log(text)
            // A wrapper becomes the program it wraps, which says hello as well.
            case .hello(canFork: true): continue
            case .snapshot:
                server = Server(control: control, pid: pid, printed: Self.all(of: output))
                return
            // It cannot be copied, or ended before it got that far: a plain start shows how.
            default:
                kill(pid, SIGKILL)
                close(control.socket)
                _ = Self.status(of: pid)
                forget()
                return
            }
        }
    }

    private func copy(
        of server: Server, seed: UInt64, at now: VirtualTime
    ) -> GuestLife? {
        var ours: Int32 = -1
        var theirs: Int32 = -1
        guard chostdoor_pair(&ours, &theirs) == 0 else { return nil }
        server.control.fork(seed: seed, at: now, control: theirs)
        close(theirs)
        while true {
            switch server.control.hear() {
            case .note(let text): log(text)
            case .forked(let pid):
                return GuestLife(
                    GuestControl(socket: ours), pid: pid, log: log,
                    end: {
                        server.control.reap(pid)
                        return Self.status(from: server.control)
                    })
            case .hello, .snapshot, .blocked, .reaped, .told, .gone:
                close(ours)
                self.server = nil
                return nil
            }
        }
    }

    private static func all(of file: Int32) -> [UInt8] {
        guard file >= 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: max(0, Int(lseek(file, 0, SEEK_END))))
        let count = pread(file, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    private static func printAgain(_ bytes: [UInt8]) {
        print(String(decoding: bytes, as: UTF8.self), terminator: "")
        fflush(nil)
    }

    private static func status(from control: GuestControl) -> Int32 {
        while true {
            switch control.hear() {
            case .reaped(let status): return status
            case .gone: return 0
            default: continue
            }
        }
    }

    // MARK: Plain starts

    private func start(seed: UInt64, at now: VirtualTime) -> GuestLife {
        let (control, pid) = spawn([
            "ANECHOIC_GUEST_SEED=\(String(seed, radix: 16))",
            "ANECHOIC_GUEST_NOW=\(now.nanoseconds)",
        ])
        return GuestLife(
            control, pid: pid, log: log, end: { Self.status(of: pid) })
    }

    /// Waits for the end of a process that we started; what `waitpid` says of it.
    static func status(of child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private func spawn(_ more: [String], output: Int32 = -1) -> (GuestControl, pid_t) {
        var ours: Int32 = -1
        var theirs: Int32 = -1
        guard chostdoor_pair(&ours, &theirs) == 0 else { leave("cannot make a socket pair") }
        defer { close(theirs) }
        var variables =
            more + [
                "ANECHOIC_GUEST=\(theirs)", "ANECHOIC_GUEST_HCI=\(channel.name)",
                // Python orders sets by its hashes, and keeps what it prints until there is much of it.
                "PYTHONHASHSEED=0", "PYTHONUNBUFFERED=1", "LD_PRELOAD=\(GuestCheck.library)",
            ]
        if let chip { variables.append("ANECHOIC_GUEST_UCI=\(chip.address)") }
        if host.mayHaveChildren { variables.append("ANECHOIC_GUEST_CHILDREN=allow") }
        if output >= 0 { variables.append("ANECHOIC_GUEST_LOG=\(CHOSTDOOR_LOG)") }
        let pid = spawnProgram(variables, control: theirs, output: output)
        guard pid > 0 else { leave("cannot start \(host.path)") }
        return (GuestControl(socket: ours), pid)
    }

    private func spawnProgram(_ more: [String], control: Int32, output: Int32) -> pid_t {
        let arguments = ([host.path] + host.arguments.map(fill)).map { strdup($0) } + [nil]
        let names = more.map { String($0.prefix { $0 != "=" }) + "=" }
        var variables = more
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            next += 1
            guard !text.hasPrefix("ANECHOIC_LINK="), !names.contains(where: text.hasPrefix)
            else { continue }
            variables.append(text)
        }
        let environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        return chostdoor_spawn(arguments, environment, control, output)
    }

    /// An argument with the addresses in it.
    private func fill(_ argument: String) -> String {
        channel.fill(argument).replacing("{uci}", with: chip?.address ?? "{uci}")
    }

    private func leave(_ what: String) -> Never {
        log("\(what): \(systemError())")
        exit(71)
    }
}
