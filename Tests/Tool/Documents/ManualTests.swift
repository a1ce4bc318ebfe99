import Foundation
import Testing

/// The manual becomes a website.
@Suite(.disabled(if: ProcessInfo.processInfo.environment["ANECHOIC_SANITIZER"] != nil))
struct ManualTests {
    @Test func theManualBuildsWithoutWarnings() throws {
        let console = try Console()
        let (status, output) = try console.run(
            """
            python3 -B '\(root)/Scripts/docs.d/stage.py' '\(Console.executables)/anechoic' Manual.docc &&
            "$(dirname "$(readlink -f "$(command -v swift)")")/docc" convert Manual.docc \\
                --warnings-as-errors --fallback-display-name Anechoic --output-path site
            """)
        #expect(status == 0, "\(output.joined(separator: "\n"))")
    }
}
