import Basics
import DeviceLink
import Scenarios
import Testing

/// What `devices:` can say.
struct DeviceTests {
    @Test func aPhoneAndALockAreFewWords() throws {
        let read = try topology(
            """
            about: A phone ranges with a lock.
            length: 20s
            devices:
              ben: {model: iPhone 15, at: [0m, 0, 1.5m], heading: 90deg}
              lock: {profile: qorvo, at: [2 m, -30cm], start: 1500ms}
            """)
        #expect(read.name == "t")
        #expect(read.about == "A phone ranges with a lock.")
        #expect(read.length == .seconds(20))
        #expect(
            read.devices == [
                DeviceSpec(
                    name: "ben", program: .appleDevice(model: "iPhone15,4"),
                    position: Position(x: 0, y: 0, z: 1_500), heading: 9_000),
                DeviceSpec(
                    name: "lock", program: .accessory(profile: "qorvo"),
                    position: Position(x: 2_000, y: -300, z: 0), start: .milliseconds(1_500)),
            ])
    }

    @Test func whatIsNotSaidHasADefault() throws {
        let read = try topology("devices: {ben: {model: 'iPhone15,4'}, lock: {profile: multi}}")
        #expect(read.about == "")
        #expect(read.length == .seconds(60))
        #expect(read.air == Air())
        #expect(read.randomFaults == nil)
        #expect(read.devices.map(\.position.x) == [0, 1_000], "in a row, a metre apart")
    }

    @Test func parametersAreHandedOverInSmallestUnits() throws {
        let read = try topology(
            """
            devices:
              lock:
                profile: qorvo
                start-delay: 1.5s
                notify-distance: 30cm
                mtu: 0x40
                multiples: 2
                uwb-version: 1.1
                defects: [silent-rejection, lost-request]
            """)
        #expect(
            read.devices[0].parameters == [
                Pair("start-delay", "1500000000"), Pair("notify-distance", "300"),
                Pair("mtu", "64"), Pair("multiples", "2"),
                Pair("uwb-version", "1.1"),
            ])
        #expect(read.devices[0].defects == ["silent-rejection", "lost-request"])
    }

    @Test func somebodyElsesProgramGetsWhatItIsGiven() throws {
        let read = try topology(
            """
            devices:
              mine:
                run: ./firmware
                arguments: [--verbose, 7, true]
                environment: [HTTP_PROXY, MODE=a=b]
                model: my board
                parameters: {rate: 5, wait: 20ms, reach: 3m, colour: red}
                defects: [anything]
              guest: {dials-in: true}
            """)
        #expect(
            read.devices[0].program
                == .executable(
                    path: "./firmware", arguments: ["--verbose", "7", "true"], model: "my board"))
        #expect(
            read.devices[0].parameters == [
                Pair("rate", "5"), Pair("wait", "20000000"), Pair("reach", "3000"),
                Pair("colour", "red"),
            ])
        #expect(read.devices[0].environment == ["HTTP_PROXY", "MODE=a=b"])
        #expect(read.devices[0].defects == ["anything"])
        #expect(read.devices[1].program == .dialsIn(model: ""))
    }

    @Test func somebodyElsesAccessoryIsToldNothingOfWhatPairsForIt() throws {
        let read = try topology(
            """
            devices:
              lock: {run: ./firmware, security-request: true, pairing: legacy, parameters: {pairing: mine}}
              tag: {dials-in: true, pairing: secure-connections}
              plug: {run: ./firmware, pairing: none, security-request: true}
            """)
        #expect(
            read.devices.map(\.security) == [
                [Pair("pairing", "legacy"), Pair("security-request", "true")],
                [Pair("pairing", "secure-connections")], [],
            ])
        #expect(read.devices.map(\.parameters) == [[Pair("pairing", "mine")], [], []])
    }

    @Test(arguments: ["iPhone 15", "iphone 15", "iPhone15,4"])
    func somebodyElsesPhoneGetsTheIdentifierOfItsModel(model: String) throws {
        let read = try topology(
            "devices: {ben: {run: ./app, model: '\(model)'}, amy: {dials-in: true, model: '\(model)'}}"
        )
        #expect(
            read.devices[0].program
                == .executable(path: "./app", arguments: [], model: "iPhone15,4"))
        #expect(read.devices[1].program == .dialsIn(model: "iPhone15,4"))
        #expect(read.devices.map(\.role) == [.appleDevice, .appleDevice])
    }

    @Test func countMakesManyDevicesOnAGrid() throws {
        let read = try topology(
            """
            devices:
              tag: {profile: qorvo, count: 5, grid: {from: [1m, 0m, 2m], columns: 2, spacing: [2m, 3m]}}
            """)
        #expect(read.devices.map(\.name) == ["tag-1", "tag-2", "tag-3", "tag-4", "tag-5"])
        let places: [(Int64, Int64)] = [(1, 0), (3, 0), (1, 3), (3, 3), (1, 6)]
        #expect(
            read.devices.map(\.position)
                == places.map { Position(x: $0.0 * 1_000, y: $0.1 * 1_000, z: 2_000) })
    }

    @Test func aWalkIsALineOfLegs() throws {
        let read = try topology(
            """
            devices:
              ben:
                model: iPhone 15
                path:
                  - {from: 5s, to: 8s, at: [10m, 0m]}
                  - {from: 9s, at: [0m, 0m]}
            """)
        #expect(
            read.devices[0].path == [
                Waypoint(
                    departure: .seconds(5), arrival: .seconds(8),
                    position: Position(x: 10_000, y: 0, z: 0)),
                Waypoint(
                    departure: .seconds(9), arrival: .seconds(9),
                    position: Position(x: 0, y: 0, z: 0)),
            ])
    }

    @Test(arguments: [
        ("true", [["lock", "key"], ["ben"], ["ben"]]),
        ("false", [[], [], []]),
        ("[key]", [["key"], [], ["ben"]]),
    ])
    func aBondIsKnownToBothSides(said: String, bonds: [[String]]) throws {
        let read = try topology(
            """
            devices:
              ben: {model: iPhone 15, bonded: \(said)}
              lock: {profile: qorvo}
              key: {profile: qorvo}
            """)
        #expect(read.devices.map(\.bonded) == bonds)
    }

    @Test(arguments: [
        ("[tag-2, tag-4]", ["tag-2,tag-4", "tag-2,tag-4"]),
        ("tag-3", ["tag-3", "tag-3"]),
        ("every tag", ["tag-1,tag-2,tag-3,tag-4", "tag-1,tag-2,tag-3,tag-4"]),
        ("2 of tag", ["tag-1,tag-2", "tag-3,tag-4"]),
    ])
    func peersAreNamedOneByOneOrShared(said: String, peers: [String]) throws {
        let read = try topology(
            """
            devices:
              phone: {model: iPhone 15, count: 2, peers: \(said)}
              tag: {profile: qorvo, count: 4}
            """)
        #expect(read.devices.prefix(2).map(\.parameters) == peers.map { [Pair("peers", $0)] })
    }

    @Test(arguments: ["iPhone 14 Pro", "iphone 14 pro", "iPhone15,2"])
    func aModelHasANameAndAnIdentifier(said: String) throws {
        let read = try topology("devices: {ben: {model: '\(said)'}}")
        #expect(read.devices[0].program == .appleDevice(model: "iPhone15,2"))
    }

    @Test func airAndLinksSayWhatDiffers() throws {
        let read = try topology(
            phoneAndLock(
                """
                air:
                  bluetooth-range: 30m
                  loss: 1/100
                  host-delay: 3ms
                  queue-delay: 500us
                  event-capacity: 6
                  uwb-range: 20m
                  uwb-field-of-view: 45deg
                  uwb-noise: 5cm
                  uwb-end-heard: 1/2
                  uwb-stride-after: 7s
                  uwb-loss: 5%
                  network-delay: 5ms..2s
                  network-loss: 1/3
                  network-timeout: 4s
                links:
                  - {between: [ben, lock], loss: 1/10, host-delay: 4ms, event-capacity: 1, obstructed: true}
                """))
        var air = Air()
        air.bluetoothRange = 30_000
        air.loss = Ratio(1, 100)
        air.hostDelay = .milliseconds(3)
        air.queueDelay = .microseconds(500)
        air.eventCapacity = 6
        air.uwbRange = 20_000
        air.uwbFieldOfView = 4_500
        air.uwbNoise = 50
        air.uwbEndHeard = Ratio(1, 2)
        air.uwbStrideAfter = .seconds(7)
        air.uwbLoss = Ratio(5, 100)
        air.networkDelay = .milliseconds(5)...(.seconds(2))
        air.networkLoss = Ratio(1, 3)
        air.networkTimeout = .seconds(4)
        #expect(read.air == air)
        #expect(
            read.links == [
                LinkSpec(
                    between: DevicePair("ben", "lock"), loss: Ratio(1, 10),
                    hostDelay: .milliseconds(4), eventCapacity: 1, isObstructed: true)
            ])
    }

    @Test func theRoomHasWallsAndDevicesAreHeldInItsLight() throws {
        let read = try topology(
            """
            devices:
              ben: {model: iPhone 15, heading: 90deg, orientation: landscape, light: 20}
              amy: {model: iPhone 15}
            walls:
              - {from: [0, 2m], to: [3m, 2m]}
            """)
        #expect(read.devices.map(\.heading) == [9_000, 0])
        #expect(read.devices.map(\.isUpright) == [false, true])
        #expect(read.devices.map(\.light) == [20, 500])
        #expect(
            read.walls == [
                Wall(
                    from: Position(x: 0, y: 2_000, z: 0), to: Position(x: 3_000, y: 2_000, z: 0))
            ])
    }

    @Test func anAliasRepeatsWhatItsAnchorSays() throws {
        let read = try topology(
            """
            about: "2 * 3 phones # and a lock"
            devices:
              ben: &phone {model: iPhone 15, at: [1m, 1m]}
              amy: *phone
            """)
        #expect(read.about == "2 * 3 phones # and a lock")
        #expect(read.devices.map(\.position.x) == [1_000, 1_000])
    }
}
