import Testing
import UV

@testable import Orchestration

/// What is left of a process that has ended.
struct DeviceProcessEndTests {
    /// A campaign has thousands of them: each that stayed kept what it had read.
    @Test func whoIsClosedIsForgotten() throws {
        weak var left: DeviceProcess?
        try Loop.with { loop in
            let (ours, theirs) = try Descriptor.pipe(for: .reading)
            let pipe = try Pipe(ours, on: loop)
            let process = DeviceProcess(.accessory)
            left = process
            // As its hosting does.
            process.logger = { _ in process.lastProgress = 1 }
            try process.connect(input: pipe, output: pipe) { _ in
                process.lastProgress = 1
            } onError: { _ in
                process.lastProgress = 1
            } onHangUp: {
                process.lastProgress = 1
            }
            process.close()
            _ = theirs
        }
        #expect(left == nil)
    }
}
