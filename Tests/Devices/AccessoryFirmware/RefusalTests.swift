import AccessoryFirmware
import DeviceKit
import Testing
import Vocabulary

@Suite struct RefusalTests {
    @Test(arguments: [
        (
            Reset(name: "lock", model: "qorv"),
            #"there is no profile "qorv"; did you mean qorvo?"#
        ),
        (
            Reset(name: "lock", model: "qorvo", parameters: [Pair("start-fail", "later")]),
            #"there is no parameter "start-fail"; did you mean start-failure?"#
        ),
        (
            Reset(name: "lock", model: "qorvo", defects: ["lost-requests"]),
            #"there is no defect "lost-requests"; did you mean lost-request?"#
        ),
        (
            Reset(name: "lock", model: "qorvo", parameters: [Pair("mtu", "600")]),
            #"the parameter "mtu" is "600", but a whole number from 23 to 517 was expected"#
        ),
        (
            Reset(
                name: "lock", model: "qorvo", parameters: [Pair("mtu", "50"), Pair("mtu", "60")]),
            #"the parameter "mtu" is given twice"#
        ),
        (
            Reset(name: "lock", model: "qorvo", parameters: [Pair("service", "quis")]),
            #"the parameter "service" is "quis", but one of qnis, nus, own was expected"#
        ),
        (
            Reset(
                name: "lock", model: "qorvo",
                parameters: [Pair("connection-interval-min", "60000000")]),
            #"the parameter "connection-interval-min" is above "connection-interval-max""#
        ),
    ])
    func whatItDoesNotKnowItRefusesInASentence(reset: Reset, sentence: String) {
        #expect(throws: Refusal(sentence)) {
            try Accessory(reset, in: Context(reset) { _ in })
        }
    }

    @Test func everyParameterIsTakenAtItsBounds() throws {
        let values = [
            ("transport", "network"), ("service", "nus"), ("advertised", "estimote"),
            ("message-length", "ignored"),
            ("mtu", "517"), ("links", "8"), ("uwb-version", "2.0"),
            ("update-rate", "infrequent"), ("ranging-role", "responder"),
            ("nearby-interaction", "absent"), ("multiples", "3"), ("own-characteristic", "true"),
            ("gatt-caching", "robust"), ("services-after-restart", "moved"), ("pairing", "legacy"),
            ("pairing-interface", "display-yes-no"), ("private-address", "true"),
            ("security-request", "true"), ("handling-time", "0"), ("handling-slack", "0"),
            ("notify-distance", "25500"), ("configuration", "subscribed"), ("acknowledge", "never"),
            ("start-delay", "60000000000"), ("ranging-timeout", "600000000000"),
            ("start-failure", "later"), ("start-failures", "1"), ("wrong-after", "0"),
            ("advertising-fast-interval", "20000000"), ("advertising-fast-time", "0"),
            ("advertising-slow-interval", "10240000000"), ("connection-request-delay", "0"),
            ("connection-request-retry", "1000000000"), ("connection-interval-min", "7500000"),
            ("connection-interval-max", "4000000000"), ("connection-latency", "499"),
            ("connection-timeout", "32000000000"),
        ]
        #expect(values.map(\.0) == AccessoryParameter.allCases.map(\.rawValue))
        _ = try Bench("multi", values.map { Pair($0, $1) })
    }
}
