import AccessoryProtocol
import Basics
import Vocabulary

/// The schema of topology files (JSON Schema 2020-12), made from the tables that the reader uses too.
package enum TopologySchema {
    /// The whole document, with a line feed at its end.
    package static var text: String {
        JSON.object([
            "$schema": .text("https://json-schema.org/draft/2020-12/schema"),
            "title": .text("A topology of Anechoic"),
        ]).with(topology.members).with([
            "$defs": .object(values + devices + script + promises)
        ]).rendered() + "\n"
    }

    private static var topology: JSON {
        .closed(
            [
                "about": .reference("text").described("What the topology is about, in a sentence."),
                "length": .reference("duration").described(
                    "How long the script goes on; 60s by default."),
                "devices": .reference("devices").described("Names and devices."),
                "services": .array(of: .reference("service")).described(
                    "Services for messages besides Qorvo's and Nordic's UART."),
                "air": .reference("air").described("What the air is like."),
                "links": .array(of: .reference("link")).described(
                    "Pairs that differ from the air."),
                "walls": .array(of: .reference("wall")).described("What stands in the room."),
                "steps": .array(of: .reference("step")).described("What is done, and when."),
                "faults": .reference("faults").described("Faults drawn at random."),
                "fluents": .object([
                    "type": .text("object"),
                    "additionalProperties": .reference("fluent"),
                ]).described("Facts that events switch on and off."),
                "promises": .array(of: .reference("ownPromise")).described("Promises of its own."),
                "expect": .reference("expectations").described("What is expected of the run."),
            ], required: ["devices"])
    }

    private static var values: JSON.Members {
        [
            // An editor may take four digits for a number.
            "uuid":
                .anyOf(
                    .pattern(
                        "^([0-9A-Fa-f]{4}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$"),
                    .object(["type": .text("number")])
                ).described("A UUID of Bluetooth's, in full or of 16 bits."),
            "text": .object(["type": .texts(["string", "number"]), "minLength": .number(1)]),
            "duration": quantity(.duration, like: "20s", sign: ""),
            "range": durationRange,
            "length": quantity(.length, like: "1.5m"),
            "angle": quantity(.angle, like: "60deg"),
            "ratio": .anyOf(.pattern("^[0-9]+(/[0-9]+|%)$"), .integer(0...1))
                .described("A probability as a ratio, like 1/20, 5% or 0."),
            "place": .array(of: .reference("length"), atLeast: 2, atMost: 3)
                .described("[right, ahead, up]; the height is 0 by default."),
            "name": .pattern("^(?!every$)[A-Za-z][A-Za-z0-9_-]{0,28}$").described(
                "The name of a device."),
            "names": .pattern("^(every )?[A-Za-z][A-Za-z0-9_-]{0,31}$").described(
                "A device, or `every` and a group."),
            "list": .array(of: .reference("names")).described("Devices."),
            "pair": .array(of: .reference("names"), atLeast: 2, atMost: 2).described(
                "Two devices."),
            "event": event,
        ]
    }

    private static func quantity(_ quantity: Quantity, like example: String, sign: String = "-?")
        -> JSON
    {
        let units = quantity.units.map(\.name).joined(separator: "|")
        return .anyOf(
            .pattern("^\(sign)[0-9]+(\\.[0-9]+)? *(\(units))$"),
            .object(["const": .number(0)])
        ).described("A number and \(quantity.unitNames), like \(example).")
    }

    private static var durationRange: JSON {
        let one = "[0-9]+(\\.[0-9]+)? *(ns|us|ms|s|min)"
        return .anyOf(.pattern("^\(one)( *\\.\\. *\(one))?$"), .object(["const": .number(0)]))
            .described("A range of durations, like 200ms..2s, or one duration.")
    }
}

extension TopologySchema {
    private static var devices: JSON.Members {
        [
            "devices": .object([
                "type": .text("object"), "minProperties": .number(1),
                "propertyNames": .reference("name"),
                "additionalProperties": .reference("device"),
            ]),
            "device": .anyOf(
                .reference("appleDevice"), .reference("accessory"), .reference("foreignDevice")),
            "appleDevice": device(
                .appleDevice,
                by: "model", .anyOf(.words(modelNames), .string).described("The model.")),
            "accessory": device(
                .accessory,
                by: "profile", .words(Catalogue.profiles.map(\.name)).described("The profile.")),
            "foreignDevice": foreignDevice,
            "grid": grid,
            "leg": .closed(
                [
                    "from": .reference("duration").described("When the walk begins."),
                    "to": .reference("duration").described("When it ends; at once by default."),
                    "at": .reference("place").described("Where it ends."),
                ], required: ["from", "at"]),
            "air": air,
            "link": link, "service": service,
            "wall": .closed(
                [
                    "from": .reference("place").described("One end, on the ground."),
                    "to": .reference("place").described("The other end."),
                ], required: TopologyKeys.wall),
        ]
    }

    private static var service: JSON {
        let texts = [
            "What it is called on the air.", "The characteristic that the app writes to.",
            "The characteristic that the accessory notifies.",
        ]
        let number = JSON.integer(0...255).described("0 to 255; 0x in front for hexadecimal.")
        let messages = JSON.closed(JSON.Members(MessageID.allCases) { ($0.name, number) })
        let uuids = JSON.Members(zip(TopologyKeys.serviceUUIDs, texts)) {
            ($0, .reference("uuid").described($1))
        }
        return .closed(
            uuids + [
                "messages": messages.described(
                    "Messages whose first byte is another than in Apple's sample app.")
            ], required: TopologyKeys.serviceUUIDs)
    }

    private static var modelNames: [String] {
        Catalogue.models.flatMap { [$0.name, $0.identifier] }
    }

    private static func device(_ kind: Catalogue.Kind, by key: String, _ program: JSON) -> JSON {
        let defects = JSON.array(of: .words(Catalogue.defects(of: kind).map(\.name)))
        let parameters = JSON.Members(Catalogue.parameters(of: kind)) { ($0.name, schema(of: $0)) }
        return .closed(
            [key: program] + common + [
                "defects": defects.described("Defects that are switched on.")
            ]
                + parameters, required: [key])
    }

    private static var common: JSON.Members {
        [
            "count": .integer(1...256).described("How many there are: NAME-1, NAME-2, …."),
            "at": .reference("place").described("Where it is at the start."),
            "grid": .reference("grid").described("Where many devices are."),
            "heading": .reference("angle").described(
                "Where its antenna points, clockwise from ahead."),
            "orientation": .words(VerbSetting.Orientation.words).described(
                "How an Apple device is held; portrait by default."),
            "light": .integer(VerbSetting.lights).described(
                "How bright it is where an Apple device is, in lux; 500 by default."),
            "path": .array(of: .reference("leg")).described("Where it walks, in order of time."),
            "start": .reference("duration").described("When it is powered on."),
            "bonded": .anyOf(.boolean, .reference("list")).described(
                "With whom it shares a key beforehand."),
            "answers-within": .reference("duration").described(
                "How long an accessory may take over an answer, as its maker says."),
        ]
    }

    private static var foreignDevice: JSON {
        JSON.closed(
            [
                "run": .string.described(
                    "A program that speaks DeviceLink: a path from the folder of this file on, or a "
                        + "name in PATH."),
                "arguments": .array(of: .object(["type": .texts(scalars)])),
                "hci": .string.described(
                    "A Bluetooth host that speaks HCI to its controller: a path from the folder of this "
                        + "file on, or a name in PATH. In an argument {} is the controller's address."
                ),
                "environment": .anyOf(
                    .array(of: .string), .object(["type": .text("object")])
                ).described(
                    "Variables beyond the usual few: NAME is taken over, NAME=VALUE is set."),
                "listen": .words(HostProgram.Transport.allCases.map(\.rawValue)).described(
                    "Where the controller waits for the host of hci."),
                "dial": .words(["unix", "tcp"]).described(
                    "Where the host of hci waits for the controller."),
                "clock": .words(HostProgram.Clock.allCases.map(\.rawValue)).described(
                    "Whether the host of hci is a guest in virtual time (the default), or goes by the wall "
                        + "clock, with which the run then keeps pace."),
                "children": .boolean.described(
                    "Whether the host of hci may start processes of its own."),
                "uci": .boolean.described(
                    "Whether the host of hci has a UWB chip, which speaks UCI on a unix socket; in an "
                        + "argument {uci} is its address."),
                "dials-in": .object(["const": .flag(true)]).described("It connects by itself."),
                "model": .reference("text").described("Handed to the program as it is."),
            ] + common + [
                "defects": .array(of: .string),
                "parameters": .object([
                    "type": .text("object"),
                    "additionalProperties": .object(["type": .texts(scalars)]),
                ]).described("Handed to the program; numbers with a unit in the smallest unit."),
            ] + JSON.Members(Catalogue.securityParameters) { ($0.name, schema(of: $0)) }
        ).with([
            "oneOf": .list(["run", "hci", "dials-in"].map { .object(["required": .texts([$0])]) })
        ])
    }

    private static let scalars = ["string", "number", "boolean"]

    private static var grid: JSON {
        .closed(
            [
                "from": .reference("place").described("The first place."),
                "columns": .integer(1...256).described("How many stand side by side."),
                "spacing": .anyOf(.reference("length"), .reference("place")).described(
                    "How far apart they stand, or [to the right, ahead]."),
            ], required: TopologyKeys.grid)
    }

    private static func schema(of parameter: Catalogue.Parameter) -> JSON {
        let values: JSON =
            switch parameter.values {
            case .duration: .reference("duration")
            case .length: .reference("length")
            case .number(let range): .integer(range)
            case .choice(let words): choice(words)
            case .flag: .boolean
            case .text: .string
            case .devices:
                .anyOf(
                    .reference("list"), .reference("names"),
                    .pattern("^[0-9]+ of [A-Za-z][A-Za-z0-9_-]*$"))
            }
        return values.described("\(parameter.explanation) Default: \(parameter.standard).")
    }

    /// A version like 1.1 is a number for YAML.
    private static func choice(_ words: [String]) -> JSON {
        words.contains { Double($0) != nil }
            ? .anyOf(.words(words), .object(["type": .text("number")])) : .words(words)
    }

    private static var air: JSON {
        .closed(JSON.Members(TopologyKeys.Air.allCases) { ($0.rawValue, schema(of: $0)) })
    }

    private static func schema(of key: TopologyKeys.Air) -> JSON {
        switch key {
        case .bluetoothRange:
            .reference("length").described("Bluetooth reach; 50m by default.")
        case .loss:
            .reference("ratio").described("The share of connection events that is lost.")
        case .hostDelay:
            .reference("duration")
                .described("Longest time from controller to host; 2ms by default.")
        case .queueDelay:
            .reference("duration").described("Longest wait in a queue; 1ms by default.")
        case .eventCapacity:
            .integer(1...1_000).described("Frames in a connection event; 4 by default.")
        case .uwbRange: .reference("length").described("UWB reach; 40m by default.")
        case .uwbFieldOfView:
            .reference("angle").described("Half the field in which direction is measured.")
        case .uwbNoise:
            .reference("length").described("Largest error of a distance; 10cm by default.")
        case .uwbLoss: .reference("ratio").described("The share of ranging rounds that fail.")
        case .uwbExtendedRange:
            .reference("length").described("UWB reach with extended distance; 120m by default.")
        case .uwbExtendedLoss:
            .reference("ratio").described(
                "The share of ranging rounds that fail at the end of that reach; 1/2 by default.")
        case .uwbEndHeard:
            .reference("ratio").described(
                "How often a radio learns from its peer that this ends a session; by default of an Apple device's peer alone."
            )
        case .uwbStrideAfter:
            .reference("duration").described(
                "How long a session is ranged in each block, before it is in every second; never by default."
            )
        case .networkDelay:
            .reference("range").described(
                "How long a message on the network is on its way; 1ms..20ms by default.")
        case .networkLoss:
            .reference("ratio").described("The share of what is sent on the network that is lost.")
        case .networkTimeout:
            .reference("duration").described(
                "How long the network waits for somebody who does not answer; 10s by default.")
        }
    }

    private static var link: JSON {
        .closed(
            [
                "between": .reference("pair"), "loss": .reference("ratio"),
                "host-delay": .reference("duration"), "event-capacity": .integer(1...1_000),
                "obstructed": .boolean.described("Whether something stands between them."),
            ], required: ["between"])
    }
}
