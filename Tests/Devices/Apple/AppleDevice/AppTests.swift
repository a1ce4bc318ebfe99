import DeviceKit
import Testing

/// The reference app on the simulated phone, against the reference accessory.
struct AppTests {
    private let handshake = [
        "app.received", "ni.run", "ni.didStartRunning", "ni.didGenerateShareableConfigurationData",
        "app.received",
    ]

    @Test func aWholeHandshakeFromLaunchToDistance() throws {
        let hall = try Hall()
        hall.run(5)
        #expect(
            hall.story
                == [
                    "app.launched", "app.found", "app.connected", "app.service", "app.subscribed",
                    "ni.created",
                    "app.start", "app.attempt",
                ] + handshake)
        #expect(hall.isRanging())
        #expect(hall.chamber.values(of: "distance", in: "ni.didUpdate").first == .number(2_500))
        #expect(
            hall.chamber.values(of: "peripheral", in: "ni.didUpdate").first
                == .text("00:00:00:00:00:B0"))
    }

    @Test(arguments: [
        ("nus", "1.1"), ("qnis", "1.0"), ("qnis", "2.0"),
    ])
    func otherServicesAndVersionsRangeToo(_ service: String, _ version: String) throws {
        let hall = try Hall([], accessories: 1, [("service", service), ("uwb-version", version)])
        hall.run(5)
        #expect(hall.count("ni.didUpdate") > 5)
    }

    @Test func aSmallMTUTakesWritesInParts() throws {
        let hall = try Hall([("mtu", "50")])
        hall.run(5)
        #expect(hall.count("ni.didUpdate") > 5)
    }

    @Test func severalAccessoriesHaveOneSessionEach() throws {
        let hall = try Hall(accessories: 3)
        hall.run(5)
        #expect(hall.count("ni.created") == 3)
        #expect((0..<3).allSatisfy(hall.isRanging))
    }

    @Test func onlyTheWantedPeersAreConnected() throws {
        let hall = try Hall([("peers", "lock3")], accessories: 3)
        hall.run(3)
        #expect(hall.count("app.found") == 3)
        #expect(hall.count("app.connected") == 1)
        #expect(hall.isRanging(2))
        // The scan has ended: the others are no longer heard.
        hall.run(5)
        #expect(hall.count("app.lost") == 2)
    }

    @Test func anAccessoryThatFallsSilentIsDroppedAndFoundAgain() throws {
        let hall = try Hall([("peers", "nobody")])
        hall.run(1)
        hall.chamber.air.isQuiet = true
        hall.run(5)
        #expect(hall.story == ["app.launched", "app.found", "app.lost"])
        hall.chamber.air.isQuiet = false
        hall.run(2)
        #expect(hall.story == ["app.found"])
    }

    @Test func suspensionStopsTheAccessoryAndItsEndBeginsAnew() throws {
        let hall = try Hall()
        hall.run(5)
        _ = hall.story
        hall.chamber.command(hall.phone, "suspend")
        hall.run(1)
        #expect(hall.story == ["ni.sessionWasSuspended", "app.received"])
        #expect(!hall.isRanging())
        hall.chamber.command(hall.phone, "resume")
        hall.run(2)
        #expect(hall.story == ["ni.sessionSuspensionEnded", "app.attempt"] + handshake)
        #expect(hall.isRanging())
    }

    @Test(arguments: [("background", "foreground"), ("lock", "unlock")])
    func leavingTheForegroundSuspends(_ leave: String, _ enter: String) throws {
        let hall = try Hall()
        hall.run(5)
        _ = hall.story
        hall.chamber.command(hall.phone, leave)
        hall.run(1)
        #expect(hall.story == ["app.background", "ni.sessionWasSuspended", "app.received"])
        hall.chamber.command(hall.phone, enter)
        hall.run(2)
        #expect(
            hall.story == ["app.foreground", "ni.sessionSuspensionEnded", "app.attempt"] + handshake
        )
    }

    @Test func aPairedSessionWithAnIdentifierGoesOnInTheBackground() throws {
        let hall = try Hall([("background-sessions", "true")], isBonded: true)
        hall.run(5)
        let measured = hall.count("ni.didUpdate")
        #expect(measured > 5)
        hall.chamber.command(hall.phone, "background")
        hall.run(5)
        #expect(hall.isRanging())
        #expect(hall.count("ni.didUpdate") == measured)
        #expect(hall.count("ni.sessionWasSuspended") == 0)
        hall.chamber.command(hall.phone, "foreground")
        hall.run(5)
        #expect(hall.count("ni.didUpdate") > measured)
    }

    @Test func anUnpairedSessionWithAnIdentifierFailsUntilTheBound() throws {
        let hall = try Hall([("background-sessions", "true")])
        hall.run(30)
        #expect(hall.count("app.attempt") == 5)
        #expect(
            hall.chamber.values(of: "error", in: "ni.didInvalidate")
                == Array(repeating: "accessoryPeerDeviceUnavailable", count: 5))
        #expect(
            hall.chamber.values(of: "reason", in: "app.gaveUp")
                == ["accessoryPeerDeviceUnavailable"])
    }

    @Test func anAccessoryWithOtherDataInItsServiceNeverRanges() throws {
        let hall = try Hall(
            [("background-sessions", "true")], accessories: 1, [],
            accessoryDefects: ["configuration-erased-after-start"], isBonded: true)
        hall.run(2)
        #expect(hall.count("app.attempt") > 0)
    }

    @Test func aDeniedPermissionIsFinal() throws {
        let hall = try Hall(permission: "ask-deny")
        hall.run(30)
        #expect(hall.count("app.attempt") == 1)
        #expect(hall.chamber.values(of: "reason", in: "app.gaveUp") == ["userDidNotAllow"])
        hall.chamber.command(hall.phone, "permission", [("answer", "allow")])
        hall.chamber.command(hall.phone, "start")
        hall.run(3)
        #expect(hall.isRanging())
    }

    @Test func aRemovedAccessoryIsTriedAgainWithNewData() throws {
        let hall = try Hall()
        hall.run(5)
        _ = hall.story
        hall.chamber.air.distance = nil
        hall.run(5.3)
        #expect(hall.story == ["ni.didRemove", "app.received"])
        #expect(!hall.isRanging())
        hall.chamber.air.distance = 3_000
        hall.run(3)
        #expect(hall.story == ["app.attempt"] + handshake)
        let configurations = hall.chamber.values(of: "configuration", in: "ni.run")
        #expect(configurations.count == 2)
        #expect(configurations[0] != configurations[1])
    }

    @Test func silenceIsRetriedUntilTheBoundWithGrowingPauses() throws {
        let hall = try Hall(accessories: 1, [], accessoryDefects: ["lost-request"])
        hall.chamber.air.radioStatus = 1
        hall.run(40)
        #expect(hall.count("app.attempt") == 5)
        #expect(hall.count("app.gaveUp") == 1)
    }

    @Test func aLostLinkEndsTheSessionAndComesBack() throws {
        let hall = try Hall()
        hall.run(5)
        _ = hall.story
        hall.chamber.air.cut()
        hall.run(5)
        #expect(
            hall.story
                == [
                    "app.disconnected", "ni.invalidate", "app.connected", "app.service",
                    "app.subscribed",
                    "ni.created", "app.start", "app.attempt",
                ] + handshake)
        #expect(hall.isRanging())
    }

    @Test func bluetoothOffEndsLinksAndOnBringsThemBack() throws {
        let hall = try Hall()
        hall.run(5)
        _ = hall.story
        hall.chamber.command(hall.phone, "bluetooth", [("power", "off")])
        hall.run(3)
        #expect(hall.story == ["system.bluetooth", "ni.invalidate", "app.disconnected"])
        #expect(!hall.isRanging())
        hall.chamber.command(hall.phone, "bluetooth", [("power", "on")])
        hall.run(5)
        #expect(hall.story.first == "system.bluetooth")
        #expect(hall.isRanging())
    }

    @Test func terminationEndsEverythingAndALaunchBeginsAnew() throws {
        let hall = try Hall()
        hall.run(5)
        _ = hall.story
        hall.chamber.command(hall.phone, "terminate")
        hall.run(3)
        #expect(hall.story == ["app.terminated"])
        #expect(!hall.isRanging())
        #expect(!hall.chamber.air.isRanging(hall.phone))
        hall.chamber.command(hall.phone, "launch")
        hall.run(5)
        #expect(hall.story.first == "app.launched")
        #expect(hall.isRanging())
    }

    @Test func theUserStopsAndStartsOneAccessory() throws {
        let hall = try Hall(accessories: 2)
        hall.run(5)
        hall.chamber.command(hall.phone, "stop", [("peer", "lock2")])
        hall.run(2)
        #expect(hall.isRanging(0) && !hall.isRanging(1))
        hall.chamber.command(hall.phone, "start", [("peer", "lock2")])
        hall.run(2)
        #expect(hall.isRanging(1))
    }

    @Test func oneSessionIsInvalidatedAndMadeAnew() throws {
        let hall = try Hall(accessories: 2)
        hall.run(5)
        _ = hall.story
        hall.chamber.command(hall.phone, "invalidate", [("peer", "lock")])
        hall.run(2)
        #expect(
            hall.story
                == ["ni.didInvalidate", "ni.created", "app.received", "app.attempt"] + handshake)
    }

    @Test func aLimitWaitsForASessionToClose() throws {
        let hall = try Hall([("session-limit", "1")], accessories: 2)
        hall.run(4)
        #expect([hall.isRanging(0), hall.isRanging(1)].count { $0 } == 1)
        let ranging = hall.isRanging(0) ? "lock" : "lock2"
        hall.chamber.command(hall.phone, "stop", [("peer", ranging)])
        hall.run(3)
        #expect(hall.isRanging(ranging == "lock" ? 1 : 0))
    }

    @Test func theAccessorysButtonEndsItForGood() throws {
        let hall = try Hall()
        hall.run(5)
        _ = hall.story
        hall.chamber.command(hall.accessories[0], "stop")
        hall.run(30)
        #expect(hall.story == ["app.received", "ni.pause", "app.stop"])
    }

    @Test func aLaunchCanWait() throws {
        let hall = try Hall([("launch", "false"), ("auto-start", "false")])
        hall.run(2)
        #expect(hall.story == [])
        hall.chamber.command(hall.phone, "launch")
        hall.run(3)
        #expect(hall.story.last == "ni.created")
        hall.chamber.command(hall.phone, "start")
        hall.run(3)
        #expect(hall.isRanging())
    }
}
