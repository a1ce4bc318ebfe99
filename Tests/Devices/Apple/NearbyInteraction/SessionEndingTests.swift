import DeviceChamber
import DeviceKit
import FoundationEssentials
import NearbyInteraction
import Testing
import Vocabulary

/// Permission, foreground, limits and errors.
struct SessionEndingTests {
    private let start = ["didStartRunning", "didGenerate"]

    // MARK: Permission

    @Test func theFirstRunAsksAndTheAnswerIsKept() throws {
        let bench = try SessionBench(.with { $0.permission = .askAllow })
            .run(accessoryConfiguration())
        bench.wait(.milliseconds(999))
        #expect(bench.heard == [])
        #expect(bench.chamber.kinds(of: 0, "system.") == ["system.prompt"])
        bench.wait()
        #expect(bench.heard == start)
        #expect(bench.chamber.stored[0] == [StoredPair("permission", [1])])

        let next = try SessionBench(
            .with { $0.permission = .askDeny }, stored: [StoredPair("permission", [1])]
        ).run(accessoryConfiguration())
        next.wait()
        #expect(next.heard == start)
        #expect(next.chamber.kinds(of: 0, "system.") == [])
    }

    @Test func aDenialEndsAllSessionsThatWait() throws {
        let bench = try SessionBench(.with { $0.permission = .askDeny })
        bench.run(try accessoryConfiguration()).run(try accessoryConfiguration())
        bench.wait(.seconds(2))
        #expect(bench.heard == ["didInvalidate userDidNotAllow", "didInvalidate userDidNotAllow"])
        #expect(bench.chamber.values(of: "answer", in: "system.permission") == ["denied"])
    }

    @Test func theUserCanAnswerByCommandAndChangeTheSetting() throws {
        let bench = try SessionBench(.with { $0.permission = .askDeny })
            .run(accessoryConfiguration())
        bench.system { $0.setPermission(isAllowed: true) }
        bench.wait(.seconds(2))
        #expect(bench.heard == start)
        bench.system { $0.setPermission(isAllowed: false) }
        #expect(bench.heard == ["didInvalidate userDidNotAllow"])
    }

    @Test func aMissingUsageDescriptionIsLikeADenial() throws {
        let bench = try SessionBench(.with { $0.hasUsageDescription = false })
            .run(accessoryConfiguration())
        #expect(bench.heard == ["didInvalidate userDidNotAllow"])
    }

    @Test func aSessionMayRunOnWhenThePermissionIsWithdrawn() throws {
        let bench = try SessionBench(.with { $0.withdrawnPermission = .unchanged })
            .run(accessoryConfiguration())
        bench.wait()
        bench.system { $0.setPermission(isAllowed: false) }
        #expect(bench.heard == start)
        bench.app { [session = bench.session] in session.pause() }
        bench.run(try accessoryConfiguration())
        #expect(bench.heard == ["didInvalidate userDidNotAllow"])
    }

    @Test func thePromptMayWaitForTheForeground() throws {
        let bench = try SessionBench(
            .with {
                $0.permission = .askAllow
                $0.backgroundPrompt = .waits
            })
        bench.accessories.isPaired = true
        bench.system { $0.setForeground(false) }
        bench.run(try background(bench))
        bench.wait(.seconds(5))
        #expect(bench.chamber.kinds(of: 0, "system.") == [])
        bench.system { $0.setForeground(true) }
        #expect(bench.chamber.kinds(of: 0, "system.") == ["system.prompt"])
    }

    @Test(arguments: [
        (SystemParameter.CheckOrder.backgroundFirst, "wasSuspended"),
        (.permissionFirst, "didInvalidate userDidNotAllow"),
    ])
    func aDenialInTheBackgroundIsLookedAtLateOrAtOnce(
        _ order: SystemParameter.CheckOrder, outcome: String
    ) throws {
        let bench = try SessionBench(
            .with {
                $0.permission = .denied
                $0.checkOrder = order
            })
        bench.system { $0.setForeground(false) }
        bench.run(try accessoryConfiguration())
        #expect(bench.heard == [outcome])
    }

    // MARK: Foreground and suspension

    @Test func inTheBackgroundASessionIsSuspendedAtOnce() throws {
        let bench = try SessionBench()
        bench.system { $0.setForeground(false) }
        bench.run(try accessoryConfiguration())
        bench.wait(.seconds(1))
        #expect(bench.heard == ["wasSuspended"])
        bench.system { $0.setForeground(true) }
        #expect(bench.heard == ["suspensionEnded"])
        let again = try accessoryConfiguration()
        bench.app { [session = bench.session] in session.run(again) }
        bench.wait()
        #expect(bench.heard == start)
    }

    @Test func twoReasonsForASuspensionMustBothEnd() throws {
        let bench = try SessionBench().run(accessoryConfiguration())
        bench.wait()
        bench.system { $0.setSuspending(true) }
        bench.system { $0.setForeground(false) }
        bench.system { $0.setSuspending(false) }
        #expect(bench.heard == start + ["wasSuspended"])
        #expect(bench.isRadioOff)
        bench.system { $0.setForeground(true) }
        #expect(bench.heard == ["suspensionEnded"])
        bench.wait(.seconds(20))
        #expect(bench.heard == [])
    }

    @Test func aSuspensionThatLastsTooLongInvalidates() throws {
        let bench = try SessionBench(.with { $0.suspensionLimit = .seconds(3) })
            .run(accessoryConfiguration())
        bench.wait()
        bench.system { $0.setSuspending(true) }
        bench.wait(.seconds(3))
        #expect(bench.heard == start + ["wasSuspended", "didInvalidate resourceUsageTimeout"])
    }

    @Test func withWhichErrorItDoesSoIsAParameter() throws {
        let bench = try SessionBench(
            .with {
                $0.suspensionLimit = .seconds(3)
                $0.suspensionError = .sessionFailed
            })
        bench.system { $0.setSuspending(true) }
        bench.run(try accessoryConfiguration())
        bench.wait(.seconds(3))
        #expect(bench.heard == ["wasSuspended", "didInvalidate sessionFailed"])
    }

    // MARK: Sessions of paired accessories

    private func background(_ bench: SessionBench) throws -> NINearbyAccessoryConfiguration {
        try NINearbyAccessoryConfiguration(
            accessoryData: Data(accessoryData()),
            bluetoothPeerIdentifier: bench.accessories.identifier)
    }

    @Test func anUnpairedPeerIsUnavailable() throws {
        let bench = try SessionBench()
        bench.run(try background(bench))
        #expect(bench.heard == ["didInvalidate accessoryPeerDeviceUnavailable"])
    }

    @Test func aPairedSessionGoesOnInTheBackgroundAndTellsLater() throws {
        let bench = try SessionBench()
        bench.accessories.isPaired = true
        bench.accessories.configurations = [accessoryData()]
        bench.run(try background(bench))
        bench.wait()
        bench.round(1_000)
        #expect(bench.heard == start + ["didUpdate 1.0"])
        bench.system { $0.setForeground(false) }
        bench.round(2_000)
        #expect(bench.heard == [])
        #expect(!bench.isRadioOff)
        bench.wait(.seconds(6))
        #expect(bench.heard == [])
        bench.system { $0.setForeground(true) }
        #expect(bench.heard == ["didRemove timeout"])
    }

    @Test func whatWaitsForTheForegroundIsDroppedWhenTheAppPauses() throws {
        let bench = try SessionBench()
        bench.accessories.isPaired = true
        bench.accessories.configurations = [accessoryData()]
        bench.run(try background(bench))
        bench.wait()
        bench.system { $0.setForeground(false) }
        bench.system { [bench] in $0.endInBand(bench.radios.last ?? 0) }
        bench.app { [session = bench.session] in session.pause() }
        bench.system { $0.setForeground(true) }
        #expect(bench.heard == start)
    }

    @Test func theAppMayEndWhatTheSystemEndedAndHasNotSaidSo() throws {
        let bench = try SessionBench()
        bench.system { $0.setForeground(false) }
        bench.run(try background(bench))
        bench.app { [session = bench.session] in session.invalidate() }
        bench.system { $0.setForeground(true) }
        #expect(bench.heard == [])
        #expect(bench.chamber.kinds(of: 0, "ni.") == ["ni.created", "ni.run", "ni.invalidate"])
    }

    @Test func otherDataInTheServiceEndsTheSessionBeforeItRanges() throws {
        let bench = try SessionBench()
        bench.accessories.isPaired = true
        bench.accessories.configurations = [accessoryData(address: 0x43)]
        bench.run(try background(bench))
        bench.wait()
        #expect(bench.heard == start + ["didRemove timeout"])
    }

    @Test func theServiceIsComparedAsOftenAsTheParameterSays() throws {
        let bench = try SessionBench(.with { $0.compareInterval = .seconds(2) })
        bench.accessories.isPaired = true
        bench.accessories.configurations = [accessoryData()]
        bench.run(try background(bench))
        bench.wait()
        bench.accessories.configurations = nil  // The link is gone.
        bench.wait(.seconds(2))
        bench.accessories.configurations = [accessoryData(address: 0x43)]
        #expect(bench.heard == start)
        bench.wait(.seconds(2))
        #expect(bench.heard == ["didRemove timeout"])
    }

    @Test func theDefectOfVerificationRangesWithWhateverTheServiceHolds() throws {
        let bench = try SessionBench(.with { $0.defects = [.skipsVerification] })
        bench.accessories.isPaired = true
        bench.accessories.configurations = nil
        bench.run(try background(bench))
        bench.wait()
        bench.round(1_000)
        #expect(bench.heard == start + ["didUpdate 1.0"])
    }

    // MARK: Defects of permission and foreground

    @Test func theDefectsOfPermissionRangeOnAndRangeAnyway() throws {
        let bench = try SessionBench(.with { $0.defects = [.ignoresDenial, .startsThoughDenied] })
            .run(accessoryConfiguration())
        bench.wait()
        bench.system { $0.setPermission(isAllowed: false) }
        bench.run(try accessoryConfiguration())
        bench.wait()
        #expect(bench.heard == start + start)
    }

    @Test func theDefectsOfTheForegroundSuspendNobody() throws {
        let bench = try SessionBench(
            .with { $0.defects = [.ignoresBackground, .startsInBackground] }
        ).run(accessoryConfiguration())
        bench.wait()
        bench.system { $0.setForeground(false) }
        bench.run(try accessoryConfiguration())
        bench.wait()
        #expect(bench.heard == start + start)
    }

    // MARK: Limits and errors

    @Test func oneSessionTooManyIsRefusedUntilAnotherCloses() throws {
        let bench = try SessionBench(.with { $0.sessionLimit = 1 })
        bench.run(try accessoryConfiguration())
        bench.wait()
        bench.run(try accessoryConfiguration())
        #expect(bench.heard == start + ["didInvalidate activeSessionsLimitExceeded"])
        bench.app { [session = bench.session] in session.invalidate() }
        bench.run(try accessoryConfiguration())
        bench.wait()
        #expect(bench.heard == start)
    }

    @Test func otherAppsCanUseUpAllSessions() throws {
        let bench = try SessionBench()
        bench.system { $0.isExhausted = true }
        bench.run(try accessoryConfiguration())
        #expect(bench.heard == ["didInvalidate activeSessionsLimitExceeded"])
    }

    @Test func aModelWithoutUWBIsUnsupported() throws {
        let bench = try SessionBench(
            .with {
                $0.capabilities = DeviceCapabilities(
                    distance: false, direction: false, camera: false, extendedDistance: false)
            }
        ).run(accessoryConfiguration())
        #expect(bench.heard == ["didInvalidate unsupportedPlatform"])
        bench.app { #expect(!NISession.isSupported) }
    }

    @Test func anUnknownVersionOrRoleIsIncompatible() throws {
        for data in [accessoryData(version: [3, 0, 0, 0]), accessoryData(role: 7)] {
            let bench = try SessionBench().run(accessoryConfiguration(data))
            #expect(bench.heard == ["didInvalidate incompatiblePeerDevice"])
        }
    }

    @Test func theErrorOfAnUnknownVersionIsAParameter() throws {
        let bench = try SessionBench(.with { $0.unknownUWBVersion = .invalidConfiguration })
            .run(accessoryConfiguration(accessoryData(version: [3, 0, 0, 0])))
        #expect(bench.heard == ["didInvalidate invalidConfiguration"])
    }

    @Test func malformedDataMakesNoConfiguration() {
        let good = accessoryData()
        let bad: [[UInt8]] = [
            [], [1], Array(good.dropLast()), good + [0], [2] + good.dropFirst(),
            Array(good.prefix(16)),
        ]
        for data in bad {
            #expect(throws: NIError(.invalidConfiguration)) {
                try NINearbyAccessoryConfiguration(data: Data(data))
            }
        }
    }

    @Test func aSessionMayRunForALimitedTime() throws {
        let bench = try SessionBench(.with { $0.resourceUsageLimit = .seconds(2) })
            .run(accessoryConfiguration())
        bench.wait()
        bench.wait(.seconds(2))
        #expect(bench.heard == start + ["didInvalidate resourceUsageTimeout"])
    }

    @Test(arguments: NIError.Code.allCases)
    func theScriptCanEndASessionWithAnyError(_ code: NIError.Code) throws {
        let bench = try SessionBench().run(accessoryConfiguration())
        bench.wait()
        bench.system { $0.invalidate(.address(Address(0xC0FFEE)), with: code) }
        #expect(bench.heard == start + ["didInvalidate \(code.name)"])
        #expect(
            bench.chamber.values(of: "code", in: "ni.didInvalidate")
                == [.number(Int64(code.rawValue))])
    }

    @Test func theErrorsHaveApplesNumbers() {
        #expect(NIError.unsupportedPlatform.rawValue == -5889)
        #expect(NIError.activeExtendedDistanceSessionsLimitExceeded.rawValue == -5880)
        let error: any Error = NIError(.userDidNotAllow)
        #expect(NIError.userDidNotAllow ~= error)
    }

    @Test func theAccessoryMayEndTheSession() throws {
        let bench = try SessionBench().run(accessoryConfiguration())
        bench.wait()
        bench.system { [bench] in $0.endInBand(bench.radios.last ?? 0) }
        #expect(bench.heard == start + ["didRemove peerEnded"])
    }

    @Test func theAppsOwnInvalidationIsCalledBackWhereTheParameterSaysSo() throws {
        let bench = try SessionBench(.with { $0.ownInvalidate = .callsBack })
            .run(accessoryConfiguration())
        bench.wait()
        bench.app { [session = bench.session] in session.invalidate() }
        #expect(bench.heard == start + ["didInvalidate sessionFailed"])
    }
}
