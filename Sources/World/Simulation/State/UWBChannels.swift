import Basics

/// The agenda's channels for what the UWB air has waiting.
struct UWBChannels: Sendable {
    /// Of each slot's session, to the air and to its host.
    private(set) var sessions: [(rounds: Int, toHost: Int)] = []

    /// Opens the channels of a slot's session.
    mutating func open(
        _ slot: Int, of device: Int, _ label: String, in agenda: inout Agenda<Occurrence>
    ) {
        let channels = (
            rounds: agenda.open(String(joining: label, " rounds")),
            toHost: agenda.open(String(joining: label, " to host"), device: device)
        )
        if slot == sessions.count { sessions.append(channels) } else { sessions[slot] = channels }
    }
}
