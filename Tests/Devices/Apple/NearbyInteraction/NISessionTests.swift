import AccessoryProtocol
import DeviceChamber
import DeviceKit
import FoundationEssentials
import NearbyInteraction
import Testing

/// NISession on a device, as an app sees it.
struct NISessionTests {
    private let start = ["didStartRunning", "didGenerate"]

    @Test func aSessionRangesAndLosesTheAccessory() throws {
        let bench = try SessionBench().run(accessoryConfiguration())
        bench.wait()
        bench.round(nil)
        bench.round(2_500, azimuth: 0)
        bench.round(nil)
        bench.wait(.milliseconds(4_999))
        #expect(bench.heard == start + ["didUpdate 2.5", "didUpdate nil"])
        bench.wait(.milliseconds(1))
        #expect(bench.heard == ["didRemove timeout"])
        #expect(bench.isRadioOff)
    }

    @Test func theAccessoryHasAWindowForItsFirstMeasurement() throws {
        let bench = try SessionBench(.with { $0.preparednessWindow = .seconds(2) })
            .run(accessoryConfiguration())
        bench.wait()
        bench.wait(.milliseconds(1_900))
        #expect(bench.heard == start)
        bench.wait(.milliseconds(200))
        #expect(bench.heard == ["didRemove timeout"])
    }

    @Test func theShareableDataIsOfThirtyBytesAndNamesTheRadiosParameters() throws {
        let bench = try SessionBench().run(accessoryConfiguration())
        bench.wait()
        let bytes = try #require(bench.recorder.shareable.first)
        let data = try AppleUWBConfigData(bytes)
        #expect(bytes.count == 30)
        #expect(data.interval == 198)
        let parameters = try #require(bench.radioParameters.first)
        #expect(parameters.sessionID == data.sessionID)
        #expect(parameters.stsIV == data.stsIV)
        #expect(parameters.address == data.destination)
        #expect(parameters.peer == 0x42)
        #expect(!parameters.isInitiator)
    }

    @Test func everyRunHasParametersOfItsOwn() throws {
        let bench = try SessionBench().run(accessoryConfiguration())
        bench.wait()
        let again = try accessoryConfiguration(accessoryData(address: 0x43))
        bench.app { [session = bench.session] in session.run(again) }
        bench.wait()
        let parameters = bench.radioParameters
        #expect(parameters.count == 2)
        #expect(Set(parameters.map(\.sessionID)).count == 2)
        #expect(Set(parameters.map(\.stsIV)).count == 2)
        #expect(bench.heard == start + start)
    }

    @Test func theDefectsOfTheRadioChangeItsParameters() throws {
        let bench = try SessionBench(
            .with {
                $0.defects = [.repeatsSessionID, .sharesOtherSessionID, .ignoresUpdateRate]
            }
        ).run(accessoryConfiguration())
        bench.wait()
        let data = try AppleUWBConfigData(try #require(bench.recorder.shareable.first))
        #expect(data.sessionID == 1)
        #expect(data.interval == 6 * 198)
        #expect(bench.radioParameters.map(\.sessionID) == [2])
    }

    @Test(arguments: [([1, 0, 0, 0], 19, 28), ([2, 0, 0, 0], 32, 35)])
    func theAnswerHasTheAccessorysVersion(_ version: [UInt8], _ length: Int, _ answer: Int) throws {
        let uwb =
            Array(accessoryData(version: version).dropFirst(16))
            + [0, 0, 0, 0, 0, 25, 0, 0x60, 0x09, 200, 0]
        let data = accessoryData().prefix(15) + [UInt8(length)] + uwb.prefix(length)
        let bench = try SessionBench().run(accessoryConfiguration(Array(data)))
        bench.wait()
        #expect(bench.recorder.shareable.first?.count == answer)
    }

    @Test func directionPointsWhereTheAccessoryIs() throws {
        let bench = try SessionBench().run(accessoryConfiguration())
        bench.wait()
        bench.round(1_000, azimuth: 9_000)
        #expect(bench.recorder.objects[0].direction == simd_float3(1, 0, 0))
        bench.round(1_000, azimuth: 0)
        #expect(bench.recorder.objects[0].direction == simd_float3(0, 0, -1))
        bench.round(1_000)
        #expect(bench.recorder.objects[0].direction == nil)
    }

    @Test func aDefectiveSystemTellsTheLastDirectionOn() throws {
        let careless = NearbyInteractionParameters.with { $0.defects = [.keepsLastDirection] }
        let bench = try SessionBench(careless).run(accessoryConfiguration())
        bench.wait()
        bench.round(1_000, azimuth: 9_000)
        bench.round(2_000)
        #expect(bench.recorder.objects[0].distance == 2)
        #expect(bench.recorder.objects[0].direction == simd_float3(1, 0, 0))
    }

    @Test func aModelWithoutDirectionNeverHasOne() throws {
        let parameters = NearbyInteractionParameters.with {
            $0.capabilities = DeviceCapabilities(
                distance: true, direction: false, camera: true, extendedDistance: false)
        }
        let bench = try SessionBench(parameters).run(accessoryConfiguration())
        bench.wait()
        bench.round(1_000, azimuth: 0)
        #expect(bench.recorder.objects[0].direction == nil)
        #expect(bench.chamber.values(of: "azimuth", in: "ni.didUpdate") == [.none])
    }

    @Test func callbacksComeInTurnsOfTheirOwnAndAreObservedThere() throws {
        let bench = try SessionBench().run(accessoryConfiguration())
        #expect(bench.chamber.kinds() == ["ni.created", "ni.run"])
        bench.wait()
        #expect(
            bench.chamber.kinds()
                == [
                    "ni.created", "ni.run", "ni.didStartRunning",
                    "ni.didGenerateShareableConfigurationData",
                ])
    }

    @Test func aSessionThatIsLetGoEndsSilently() throws {
        let bench = try SessionBench().run(accessoryConfiguration())
        bench.wait()
        _ = bench.heard
        bench.app { bench.recorder.sessions = [] }
        #expect(bench.isRadioOff)
        #expect(bench.chamber.kinds().last == "ni.invalidate")
        bench.round(1_000)
        bench.wait(.seconds(30))
        #expect(bench.heard == [])
    }

    @Test func anInvalidatedSessionCannotBeRun() throws {
        let bench = try SessionBench().run(accessoryConfiguration())
        bench.wait()
        bench.round(1_000)
        _ = bench.heard
        let again = try accessoryConfiguration(accessoryData(address: 0x43))
        bench.app { [system = NearbyInteractionSystem.self, session = bench.session] in
            system.current.invalidate(nil, with: .resourceUsageTimeout)
            session.run(again)
        }
        bench.wait()
        #expect(bench.heard == ["didInvalidate resourceUsageTimeout"])
    }

    @Test func aCallbackThatWaitsInTheQueueIsDroppedWhenTheAppPauses() throws {
        let bench = try SessionBench().run(accessoryConfiguration())
        bench.wait()
        bench.round(1_000)
        _ = bench.heard
        bench.app { [system = NearbyInteractionSystem.self, session = bench.session] in
            system.current.setSuspending(true)
            session.pause()
        }
        bench.wait()
        #expect(bench.heard == [])
    }
}

extension SessionBench {
    /// The parameters of the radio's starts.
    var radioParameters: [UWBParameters] {
        chamber.answers.compactMap {
            guard case .uwb(.start(_, let parameters)) = $0.answer else { return nil }
            return parameters
        }
    }
}
