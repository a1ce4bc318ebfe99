package import Campaigns
package import Diagnosis

/// What is known of a group of failures: how it was repeated, and what came of looking into it.
package struct SoakFinding: Codable {
    package let finding: Finding
    package var diagnosis: DiagnosedRun?

    package init(_ finding: Finding) { self.finding = finding }
}
