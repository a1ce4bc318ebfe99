import DeviceLink
package import Promises
import Traces

/// Which promises a capture of HCI can decide.
///
/// HCI shows links, attributes and messages. It does not show what an app or a person wants, what an NISession
/// tells its app, or what a UWB radio does; a promise that asks for this is *not seen*. Where packets are missing,
/// as in what a sniffer has heard, only what may never happen can be judged. Faults are what we do on purpose: in a
/// capture there are none, nor does a process or an app stop without its links.
package enum CaptureSight {
    /// How much of events of a kind a capture has.
    private enum Sight {
        case all
        /// They do not happen there, or their effect is seen: links that end.
        case none
        case hidden
    }

    private static let shown: Set<String> = ["run", "air", "link", "att", "gatt", "msg"]
    private static let absent: Set<String> = ["script", "faults", "fault"]

    private static func sight(of kind: String) -> Sight {
        let family = String(kind.prefix { $0 != "." })
        if shown.contains(family) || kind == EventKind.deviceStarted.rawValue { return .all }
        if absent.contains(family) || family == "device" { return .none }
        let isSeenInLinks = [.systemBluetooth, .appLaunched].contains(EventKind(named: kind))
        return isSeenInLinks ? .none : .hidden
    }

    /// Whether a promise that is written by hand can be decided, where so much is missing.
    package static func decides(_ promise: String, missing gaps: CaptureGaps) -> Bool {
        // Of all that it observes only a person's hand at the accessory is hidden: no fault of the firmware is.
        promise == HandwrittenPromise.messageOrder.rawValue && gaps.areNone
    }

    /// The promises of a set that can be decided where so much is missing, with all of its fluents, and no goals.
    package static func decidable(
        of set: PropertySet, among devices: [CapturedDevice], missing gaps: CaptureGaps
    ) -> PropertySet {
        PropertySet(
            fluents: set.fluents,
            properties: set.properties.filter {
                decides($0, fluents: set.fluents) && isWithinSight($0, of: devices)
                    && (gaps.areNone || provesItself($0))
            })
    }

    /// Whether what breaks a promise is seen, whatever else was not.
    private static func provesItself(_ property: Property) -> Bool {
        if case .never = property.body { property.scope == nil } else { false }
    }

    /// Whether all that may keep a promise is in sight: one about all links of a device needs that device's
    /// host, because the other end of one of its links knows nothing of the others.
    private static func isWithinSight(
        _ property: Property, of devices: [CapturedDevice]
    ) -> Bool {
        let isOfOneLink =
            property.keys.contains(.field("link"))
            || property.keys.contains(.role(.accessory))
                && property.keys.contains(.role(.appleDevice))
        switch property.body {
        case .precedence, .response, .existence: break
        case .never, .count, .correlation, .always, .atMost, .machine: return true
        }
        guard !isOfOneLink else { return true }
        return devices.filter { property.keys.concern($0.role) }.allSatisfy(\.isHost)
    }

    /// Whether a promise of the language can be decided, which speaks of these fluents.
    package static func decides(_ property: Property, fluents: [Fluent]) -> Bool {
        let literals = property.scope?.literals ?? []
        return canBeTested(property.stimuli) && decides(property.body, fluents: fluents)
            && literals.allSatisfy { knows($0, fluents: fluents) }
    }

    private static func decides(_ body: Property.Body, fluents: [Fluent]) -> Bool {
        switch body {
        case .never(let events), .count(let events, _, _): canBeTested(events)
        case .response(let when, let then, _, _, let unless):
            canBeTested(when) && areSeen(then) && areSeen(unless)
        case .precedence(let event, let needs, _, _, _): canBeTested(event) && areSeen(needs)
        case .correlation(let event, _, let source): canBeTested(event) && areSeen(source)
        case .existence(let steps, _): areSeen(steps.flatMap(\.self))
        case .always(let condition): condition.literals.allSatisfy { knows($0, fluents: fluents) }
        case .atMost(_, let name): knows(.init(name), fluents: fluents)
        case .machine(let states): areSeen(states.flatMap(\.moves).map(\.event))
        }
    }

    /// Whether some of the events that put a promise to the test are seen; an empty list leaves that to the rest.
    private static func canBeTested(_ events: [EventPattern]) -> Bool {
        events.isEmpty || events.contains { sight(of: $0.kind) == .all }
    }

    /// Whether nothing that keeps or excuses may happen unseen.
    private static func areSeen(_ events: [EventPattern]) -> Bool {
        events.allSatisfy { sight(of: $0.kind) != .hidden }
    }

    /// Whether a fluent does not hold, or not hold, unseen.
    private static func knows(_ literal: Property.Condition.Literal, fluents: [Fluent]) -> Bool {
        guard let fluent = fluents.first(where: { $0.name == literal.fluent }) else { return true }
        return literal.isPositive
            ? canBeTested(fluent.set) && areSeen(fluent.clear) : areSeen(fluent.set)
    }
}

extension [EventKey] {
    /// Whether instances are told apart by the devices of a role.
    fileprivate func concern(_ role: DeviceRole) -> Bool {
        contains(.role(role)) || contains(.device)
    }
}
