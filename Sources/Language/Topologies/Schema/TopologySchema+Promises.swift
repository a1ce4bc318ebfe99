import PromiseLibrary
import Promises

/// Promises and fluents of a topology's own.
extension TopologySchema {
    static var promises: JSON.Members {
        [
            "events": .anyOf(.reference("event"), .array(of: .reference("event"), atLeast: 1))
                .described("An event, or a list of which one is meant."),
            "keys": .anyOf(.reference("key"), .array(of: .reference("key"), atLeast: 1, atMost: 8))
                .described("Fields, `device`, `accessory` or `apple-device`."),
            "key": .words(eventKeyNames),
            "fluent": fluent, "ownPromise": promise(required: ["promise"]), "asked": asked,
        ]
    }

    private static var fluent: JSON {
        .closed(
            [
                "per": .reference("keys").described("What distinguishes its instances."),
                "set": .reference("events").described("What makes it hold."),
                "clear": .reference("events").described("What ends it."),
            ], required: ["set", "clear"])
    }

    private static func promise(required: [String]) -> JSON {
        .closed(
            JSON.Members(PromiseKeys.promise) { ($0, schema(ofPromiseKey: $0)) },
            required: required)
    }

    /// An expectation in the language of promises.
    private static var asked: JSON {
        promise(required: []).with([
            "anyOf": .list(PromiseKeys.telling.map { .object(["required": .texts([$0])]) })
        ])
    }

    private static func schema(ofPromiseKey key: String) -> JSON {
        switch key {
        case "level": .words(Property.Level.allCases.map(\.rawValue))
        case "keeper": .words(Property.Keeper.allCases.map(\.rawValue))
        case "per": .reference("keys").described("What distinguishes its instances.")
        case "same":
            .anyOf(.reference("text"), .array(of: .reference("text"), atLeast: 1, atMost: 8))
                .described("Fields that must be equal in both events.")
        case "ends", "never", "when", "then", "unless", "event", "needs", "since", "as",
            "eventually", "count", "exercised-by":
            .reference("events")
        case "at-most", "min", "max": .integer(0...1_000_000_000)
        case "machine":
            .object(["type": .text("object")]).described(
                "States, each with events and the states they lead to.")
        default: .reference("text")
        }
    }
}
