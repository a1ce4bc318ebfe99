import Choices

/// What an event is called of which the trace says nothing, by its channel.
package struct ChannelWords {
    /// What happens: `connection event`, `ranging round`, `timer handling`; the event's text where there
    /// is no better word.
    let kind: String
    /// Whom it happens to.
    private let place: String?
    /// The device, or the two devices of a link; empty where the channel names none.
    private let devices: [String]

    init(_ event: EventID) {
        let words = event.text.split(separator: " ").dropLast().map(String.init)
        let name = words.dropFirst().first
        devices = name.map(Self.names) ?? []
        let device = name.map(Self.device)
        (kind, place) =
            switch (words.first, words.last) {
            case ("link", "events"): ("connection event", name.map(Self.devices))
            case ("link", "supervision"): ("supervision timeout", name.map(Self.devices))
            case ("uwb", "rounds"): ("ranging round", device)
            case ("timer", let name?): ("timer \(name)", device)
            case ("queue", let name?): ("callback on \(name)", device)
            case ("advertising", _): ("advertising event", device)
            case ("link", "peripheral"): ("arrival from the link", devices.last)
            case ("link", "central"): ("arrival from the link", devices.first)
            case ("uwb", "host"): ("news of the radio", device)
            case ("camera", "host"): ("news of the camera", device)
            case ("camera", _): ("frame of the camera", device)
            case ("boot", _): ("first turn", device)
            default: (event.text, nil)
            }
    }

    /// Whether a device has set a timer for it.
    var isTimer: Bool { kind.hasPrefix("timer ") && place != nil }

    /// Whether it happens to a device, or to nobody in particular.
    func concerns(_ device: String) -> Bool { place == nil || devices.contains(device) }

    /// The kind with the device or devices: `ranging round (lock)`.
    package var words: String { place.map { "\(kind) (\($0))" } ?? kind }

    /// The device of `lock/0`, whichever incarnation.
    private static func device(_ label: String) -> String {
        label.split(separator: "/").first.map(String.init) ?? label
    }

    /// The two devices of `ben/0-lock/0`, or the one of `lock/0`: names hold no slash.
    private static func names(_ label: String) -> [String] {
        let parts = label.split(separator: "/")
        guard parts.count == 3, let dash = parts[1].firstIndex(of: "-") else {
            return [device(label)]
        }
        return [String(parts[0]), String(parts[1][parts[1].index(after: dash)...])]
    }

    private static func devices(_ label: String) -> String {
        names(label).joined(separator: " ↔ ")
    }
}
