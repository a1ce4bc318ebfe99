import Glibc
import Testing
import UV

/// A child as the orchestrator has them: a pipe for grants, one for answers, one for its log.
private struct Player {
    let grants: Pipe
    let answers: Sink
    let log: Sink

    init(_ loop: Loop, onExit: @escaping () -> Void) throws {
        let (ours, childsGrants) = try Descriptor.pipe(for: .writing)
        let (answersEnd, childsAnswers) = try Descriptor.pipe(for: .reading)
        let (logEnd, childsLog) = try Descriptor.pipe(for: .reading)
        grants = try Pipe(ours, on: loop)
        answers = try Sink(Pipe(answersEnd, on: loop))
        log = try Sink(Pipe(logEnd, on: loop))
        let launch = Launch(
            "/bin/sh", arguments: ["-c", "echo ready >&2; exec cat <&3 >&4"],
            descriptors: [
                .nothing, .given(childsLog), .given(childsLog), .given(childsGrants),
                .given(childsAnswers),
            ])
        _ = try ChildProcess(launch, on: loop) { _ in onExit() }
    }
}

@Suite struct ScaleTests {
    @Test func twoHundredAndFiftySixChildrenTalkAtOnceWithThreeDescriptorsEach() async {
        await #expect(processExitsWith: .success) {
            try Loop.with { loop in
                // libuv keeps a descriptor in reserve from the first pipe on.
                try Pipe(Descriptor.pipe(for: .reading).ours, on: loop).close()
                let before = openDescriptors()
                var exits = 0
                let players = try (0..<256).map { _ in try Player(loop) { exits += 1 } }
                // A number that the test's own runtime has closed since may be taken again.
                let more = openDescriptors().subtracting(before).count
                #expect((256 * 3 - 1...256 * 3).contains(more), "\(more) descriptors")
                for (number, player) in players.enumerated() {
                    try player.grants.write([UInt8(number)])
                }
                try loop.runBriefly { players.allSatisfy { !$0.answers.bytes.isEmpty } }
                #expect(players.map(\.answers.bytes) == (0..<256).map { [UInt8($0)] })
                for player in players { player.grants.close() }
                try loop.runBriefly()
                #expect(exits == 256)
                #expect(players.allSatisfy { $0.log.text == "ready\n" && $0.log.end == .some(nil) })
                #expect(openDescriptors().subtracting(before) == [])
            }
            #expect(hasNoChildren())
        }
    }

    @Test func theDescriptorLimitRisesToTheHardOne() async {
        await #expect(processExitsWith: .success) {
            // libuv ends the process where its very first loop finds no descriptors.
            try Loop.with { _ in }
            var limit = rlimit(rlim_cur: 64, rlim_max: 128)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let strays = (0..<64).map { _ in dup(0) }
            #expect(strays.contains(-1))
            #expect(throws: UVError(.tooManyDescriptors, in: "uv_pipe")) {
                try Descriptor.pipe(for: .reading)
            }
            #expect(throws: UVError(.tooManyDescriptors, in: "uv_loop_init")) {
                try Loop.with { _ in }
            }
            #expect(try ThisProcess.raiseDescriptorLimit() == 128)
            _ = try Descriptor.pipe(for: .reading)
        }
    }
}
