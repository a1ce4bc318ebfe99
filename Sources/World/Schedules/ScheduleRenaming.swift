package import Choices

/// What stands at other places of another script is found there again.
extension Schedule {
    /// How the channels and decisions begin that go by the place of a step, from 1.
    private static let numbered = ["step ", "end of fault ", "spoilt message "]

    /// Whether it speaks of steps.
    package var namesSteps: Bool {
        afters.contains { $0.event.step != nil || $0.after.step != nil }
            || decisions.contains { EventID.of(decision: $0.identity)?.id.step != nil }
    }

    /// The same schedule where steps have other places, or none; `places` says which, from 0.
    package func movingSteps(_ places: (Int) -> Int?) -> Schedule {
        renaming { event in
            guard let (prefix, number) = event.step else { return event }
            return places(number - 1).map {
                EventID(channel: "\(prefix)\($0 + 1)", ordinal: event.ordinal)
            }
        }
    }

    /// The same schedule where the random faults of the run are steps, behind those that there were.
    ///
    /// `items` has the place of each fault among all that the script does, from 0, by its channel.
    package func spelling(faults items: [String: Int]) -> Schedule {
        renaming { event in
            guard let item = items[event.channel] else { return event }
            // Its end is the second event of the fault, and a step of its own.
            return EventID(channel: "step \(item + 1 + Int(event.ordinal))", ordinal: 0)
        }
    }

    private func renaming(_ name: (EventID) -> EventID?) -> Schedule {
        Schedule(
            afters: afters.compactMap { old in
                guard let event = name(old.event), let after = name(old.after) else { return nil }
                return After(event: event, after: after)
            },
            decisions: decisions.compactMap { decision in
                guard let (id, rest) = EventID.of(decision: decision.identity) else {
                    return decision
                }
                return name(id).map {
                    RecordedDecision(identity: $0.text + rest, value: decision.value)
                }
            })
    }

    fileprivate static func step(of channel: String) -> (prefix: String, number: Int)? {
        for prefix in numbered where channel.hasPrefix(prefix) {
            if let number = Int(channel.dropFirst(prefix.count)) { return (prefix, number) }
        }
        return nil
    }
}

extension EventID {
    /// The step that its channel belongs to.
    fileprivate var step: (prefix: String, number: Int)? { Schedule.step(of: channel) }

    /// Whose decision it is, and what stands behind that.
    fileprivate static func of(decision identity: String) -> (id: EventID, rest: Substring)? {
        guard let mark = identity.lastIndex(of: "#") else { return nil }
        let rest = identity[mark...].dropFirst().drop { $0.isNumber }
        guard let id = EventID(String(identity[..<rest.startIndex])) else { return nil }
        return (id, rest)
    }
}
