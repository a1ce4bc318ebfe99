import DeviceLink
import Scenarios
import Testing
import Topologies

/// Files whose devices somebody else's programs play.
struct VariantTests {
    private static let file = """
        devices:
          ben: {model: iPhone 15, permission: allowed, peers: every tag, retry-delay: 2s, defects: [second-outcome]}
          tag: {profile: qorvo, count: 2, handling-time: 30ms}
        """

    private func devices(_ change: (inout TopologyVariant) -> Void) throws -> [DeviceSpec] {
        var variant = TopologyVariant()
        variant.isHealthy = true
        change(&variant)
        return try topology(variant.text(of: Self.file)).devices
    }

    @Test func aProgramGetsModelArgumentsAndParametersAsTheyGoOverTheLink() throws {
        let devices = try devices { $0.app = .init("/my/app", arguments: ["-v", "7"]) }
        #expect(
            devices[0].program
                == .executable(path: "/my/app", arguments: ["-v", "7"], model: "iPhone15,4"))
        #expect(
            devices[0].parameters == [
                Pair("permission", "allowed"), Pair("peers", "tag-1,tag-2"),
                Pair("retry-delay", "2000000000"),
            ])
        #expect(devices[0].defects.isEmpty)
        #expect(devices[1].program == .accessory(profile: "qorvo"))
    }

    @Test func aDefectThatAProgramHasIsItsOwnAffair() throws {
        let devices = try devices {
            $0.app = .init("/my/app")
            $0.defects = [
                .init(device: "ben", name: "mine"), .init(device: "tag", name: "mine"),
                .init(name: "reused-configuration"),
            ]
        }
        #expect(
            devices.map(\.defects) == [
                ["mine"], ["reused-configuration"], ["reused-configuration"],
            ])
    }

    @Test func fewerParametersAreThoseOfTheSystemAndThenNone() throws {
        let system = try devices {
            ($0.app, $0.accessory) = (.init("/my/app"), .init("/my/firmware"))
            $0.parameters = .ofTheSystem
        }
        #expect(system.map(\.parameters) == [[Pair("permission", "allowed")], [], []])
        let none = try devices {
            $0.app = .init("/my/app")
            $0.parameters = .none
        }
        #expect(none[0].parameters.isEmpty)
    }

    @Test func anAccessoryGetsItsProfileAndParameters() throws {
        let devices = try devices {
            $0.accessory = .init("/my/firmware")
            $0.profile = "nxp"
        }
        #expect(devices.map(\.name) == ["ben", "tag-1", "tag-2"])
        #expect(
            devices[2].program
                == .executable(path: "/my/firmware", arguments: [], model: "nxp"))
        #expect(devices[2].parameters == [Pair("handling-time", "30000000")])
    }

    @Test func somebodyElsesProgramIsMetByBluetooth() throws {
        let file = """
            length: 1s
            devices:
              ben: {model: iPhone 15, transport: network}
              lock: {profile: qorvo, transport: network, links: 2}
            """
        var variant = TopologyVariant()
        variant.accessory = .init("/my/firmware")
        let devices = try topology(variant.text(of: file)).devices
        #expect(devices.map(\.parameters) == [[], [Pair("links", "2")]])
    }

    @Test func wePairForAnAccessoryThatIsNotToldHow() throws {
        let file = """
            devices:
              ben: {model: iPhone 15, pairing: refuse}
              lock: {profile: qorvo, pairing: legacy, mtu: 100}
            """
        let told = [Pair("pairing", "legacy"), Pair("mtu", "100")]
        let cases: [(TopologyVariant.Parameters, HostWay?, [Pair], [Pair])] = [
            (.all, nil, told, []), (.ofTheSystem, nil, [], [Pair("pairing", "legacy")]),
            (.none, .unix, [], []),
        ]
        for (parameters, way, given, security) in cases {
            var variant = TopologyVariant()
            variant.accessory = .init("/my/firmware", way: way)
            variant.parameters = parameters
            let devices = try topology(variant.text(of: file)).devices
            #expect(devices[1].parameters == given)
            #expect(devices[1].security == security)
        }
    }

    private typealias HostWay = TopologyVariant.HostWay

    @Test func aDeviceIsNoMemberOfAGroupThatIsNone() throws {
        var variant = TopologyVariant()
        variant.app = .init("/my/app")
        let text = """
            devices:
              phone: {model: iPhone 15, permission: allowed}
              phone-2: {model: iPhone 15, permission: denied}
            """
        #expect(
            try topology(variant.text(of: text)).devices.map(\.parameters) == [
                [Pair("permission", "allowed")], [Pair("permission", "denied")],
            ])
    }

    @Test func bondsStayWhereBothSidesAreForeign() throws {
        var variant = TopologyVariant()
        (variant.app, variant.accessory) = (.init("/my/app"), .init("/my/firmware"))
        let file = "devices: {ben: {model: iPhone 15, bonded: true}, lock: {profile: qorvo}}"
        #expect(try topology(variant.text(of: file)).devices.map(\.bonded) == [["lock"], ["ben"]])
    }

    @Test func aTextThatIsNoTopologyStaysAsItIs() {
        var variant = TopologyVariant()
        variant.isHealthy = true
        #expect(variant.text(of: "devices: {ben: {modle: x}}") == "devices: {ben: {modle: x}}")
    }
}
