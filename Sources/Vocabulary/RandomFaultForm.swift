/// A kind of random fault, whom it can hit and whether it lasts.
package struct RandomFaultForm: Equatable, Sendable {
    /// The kind.
    package var name: String
    /// Whom it can hit.
    package var hits: [Catalogue.Kind]
    /// Whether it lasts for a time.
    package var lasts: Bool
    /// What it does, in a sentence.
    package var explanation: String

    /// The kinds, in the order of the documentation.
    package static let all: [RandomFaultForm] = [
        anybody("disconnect", lasts: false, "A link ends."),
        anybody("loss", "Half of the connection events between two devices are lost."),
        anybody("partition", "Two devices are out of reach of one another."),
        anybody("hold", "What one device sends to another waits."),
        anybody("freeze", "A process stands still."),
        anybody("kill", "A process is killed, and started again."),
        anybody("corrupt", lasts: false, "A bit of a message is flipped."),
        RandomFaultForm(
            name: "background", hits: [.appleDevice], lasts: true,
            explanation: "The app leaves the screen."),
        RandomFaultForm(
            name: "suspend", hits: [.appleDevice], lasts: true,
            explanation: "The system suspends all sessions."),
        RandomFaultForm(
            name: "bluetooth", hits: [.appleDevice, .accessory], lasts: true,
            explanation: "Bluetooth is off."),
        anybody("delay", "Every packet between two devices waits 200 ms longer."),
        anybody("throttle", "A connection event between two devices carries one frame."),
        anybody("uwb-loss", "Half of the ranging rounds between two devices miss."),
        anybody("refuse-uwb", lasts: false, "A UWB radio refuses its next start."),
        anybody("busy", "Whatever a device posts to its queues waits 20 ms longer."),
        RandomFaultForm(
            name: "terminate", hits: [.appleDevice], lasts: true,
            explanation: "The app is ended by the user, and started again."),
    ]

    private static func anybody(
        _ name: String, lasts: Bool = true, _ explanation: String
    ) -> RandomFaultForm {
        RandomFaultForm(
            name: name, hits: Catalogue.Kind.allCases, lasts: lasts, explanation: explanation)
    }
}
