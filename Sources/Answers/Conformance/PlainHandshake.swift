import Artifacts
import Basics
import DeviceLink
import Orchestration
package import Reports
import Topologies

/// Whether the devices get to ranging where nothing disturbs them.
///
/// Without it nearly every promise is never put to the test, so a suite that breaks none proves nothing.
package struct PlainHandshake {
    /// Whom the phone is to range with.
    enum Partner {
        case accessory
        /// Another phone with the same app.
        case phone

        fileprivate var name: String {
            switch self {
            case .accessory: "plain-handshake"
            case .phone: "plain-handshake-of-phones"
            }
        }
    }

    package enum Outcome: Equatable {
        /// The accessory's radio is on, or both phones have measured.
        case done
        /// No device failed, but ranging did not start.
        case missing(String)
        /// A device refused to be what it was asked to be.
        case refused(String)
        /// A device failed, or the harness did.
        case failed(ExitStatus, String)
    }

    /// What was played; the promises count as in any run.
    package let report: RunReport
    let partner: Partner
    let outcome: Outcome
    /// Whether the accessory sent configuration data by itself.
    let isUnasked: Bool

    /// Why it did not come about though no device failed; nil where it did, or one failed.
    var missing: String? { if case .missing(let reason) = outcome { reason } else { nil } }

    init(_ report: RunReport, with partner: Partner = .accessory) {
        self.partner = partner
        outcome = Self.outcome(of: report, with: partner)
        isUnasked =
            partner == .accessory
            && report.expectations.dropFirst().contains {
                $0.verdict == .violated
            }
        var report = report
        // It is no clause of the protocol, and has a place of its own in the verdict.
        report.expectations = []
        let verdicts = report.promises.map(\.verdict)
        if [.violated, .inconclusive].contains(report.status) {
            report.status =
                verdicts.contains(.violated)
                ? .violated : verdicts.contains(.inconclusive) ? .inconclusive : .held
            report.verdict = report.status.word
        }
        self.report = report
    }

    private static func outcome(of report: RunReport, with partner: Partner) -> Outcome {
        if report.isRefusal { return .refused(report.failure ?? "") }
        switch report.status {
        case .held, .violated, .inconclusive: break
        case .deviceFailed, .wrongUse, .wrongFile, .unavailable, .harnessError, .interrupted:
            return .failed(report.status, report.failure ?? report.verdict)
        }
        let missing = report.expectations.prefix(partner == .accessory ? 1 : .max)
            .first { $0.verdict != .held }
        return missing.map { .missing($0.reason ?? $0.expectation) } ?? .done
    }

    /// How long it is given: twenty seconds, and time for three slow answers.
    private static func length(of manner: AccessoryManner) -> String {
        let answers = (manner.answersWithin ?? 0).times(3)
        return Quantity.duration.text(of: Int64(clamping: .seconds(20) + answers))
    }

    /// The run of a variant.
    static func task(
        with partner: Partner, of variant: TopologyVariant, prefix: String
    ) -> RunTask {
        RunTask(
            name: prefix + partner.name, file: partner.name,
            text: variant.text(of: partner.text(within: length(of: variant.manner))), seed: 1)
    }
}

extension PlainHandshake.Partner {
    fileprivate func text(within length: String) -> String {
        switch self {
        case .accessory:
            """
            length: \(length)
            devices:
              ben: {model: iPhone 15, at: [0m, 0m], permission: allowed}
              lock: {profile: qorvo, at: [2m, 0m]}
            expect:
              - in order: [msg.accessoryConfigurationData.sent on lock, msg.configureAndStart.sent on ben, \
            uwb.started on lock]
              - never: msg.accessoryConfigurationData.sent on lock with unasked = true

            """
        case .phone:
            """
            length: \(length)
            devices:
              ben: {model: iPhone 15, at: [0m, 0m], permission: allowed, ranges-with: phones}
              amy: {model: iPhone 15, at: [2m, 0m], permission: allowed, ranges-with: phones}
            expect:
              - eventually: ni.didUpdate on ben with peer-token != none and distance != none
              - eventually: ni.didUpdate on amy with peer-token != none and distance != none
              - never: air.scanning on ben with transport != network

            """
        }
    }

    /// What did not happen where it is missing.
    var deed: String {
        switch self {
        case .accessory: "get from configuration data to a radio that is on"
        case .phone: "range with each other's tokens, and look for nobody by Bluetooth,"
        }
    }
}

extension RunReport {
    /// Whether it shows that a device is wrong, whatever the gate: a recommendation that is not kept, or something
    /// left open, does not.
    var isFailure: Bool {
        switch status {
        case .held, .inconclusive: false
        case .violated:
            promises.contains { $0.verdict == .violated && $0.about.level == .must }
                || expectations.contains { $0.verdict == .violated }
        case .deviceFailed, .wrongUse, .wrongFile, .unavailable, .harnessError, .interrupted: true
        }
    }
}
