import DeviceChamber
import DeviceKit
import NearbyInteraction
import Testing
import Vocabulary

/// What versions of the system, the background and the user's permission make of sessions.
struct VersionTests {
    private let start = ["didStartRunning", "didGenerate"]

    @Test func accessoriesCameWithIOS15() throws {
        let old = try SessionBench(.with { $0.version = .v14 }).run(accessoryConfiguration())
        #expect(old.heard == ["didInvalidate unsupportedPlatform"])
        let new = try SessionBench(.with { $0.version = .v15 }).run(accessoryConfiguration())
        new.wait()
        // Apps hear of a start since iOS 16.
        #expect(new.heard == ["didGenerate"])
        #expect(new.chamber.kinds().contains("ni.didStartRunning"))
    }

    @Test(arguments: [false, true])
    func theCameraHelpsNoDeviceThatCannotLetIt(_ canHelp: Bool) throws {
        let configuration = try accessoryConfiguration()
        configuration.isCameraAssistanceEnabled = true
        let bench = try SessionBench(.with { $0.capabilities.supportsCameraAssistance = canHelp })
            .run(configuration)
        bench.wait()
        #expect(bench.heard == (canHelp ? start : ["didInvalidate invalidARConfiguration"]))
    }

    @Test func aLiveActivityKeepsAnySessionSinceIOS18_4() throws {
        for (version, calls) in [
            (SystemParameter.SystemVersion.v18, start + ["wasSuspended", "suspensionEnded"]),
            (.v18_4, start),
        ] {
            let bench = try SessionBench(
                .with {
                    $0.version = version
                    $0.hasLiveActivity = true
                }
            ).run(accessoryConfiguration())
            bench.wait()
            bench.system { $0.setForeground(false) }
            bench.system { $0.setForeground(true) }
            #expect(bench.heard == calls)
        }
    }

    // MARK: Background

    /// A session that goes on in the background, in which the app is.
    private func inBackground(_ parameters: NearbyInteractionParameters) throws -> SessionBench {
        let bench = try SessionBench(parameters)
        bench.accessories.isPaired = true
        bench.accessories.configurations = [accessoryData()]
        try bench.run(background(bench))
        bench.wait()
        _ = bench.heard
        bench.system { $0.setForeground(false) }
        return bench
    }

    private func background(_ bench: SessionBench) throws -> NINearbyAccessoryConfiguration {
        try NINearbyAccessoryConfiguration(
            accessoryData: .init(accessoryData()),
            bluetoothPeerIdentifier: bench.accessories.identifier)
    }

    @Test func inTheBackgroundTheRadioRangesMoreSeldom() throws {
        let bench = try inBackground(.with { $0.backgroundStride = 4 })
        bench.system { $0.setForeground(true) }
        let strides = bench.chamber.answers.compactMap {
            if case .uwb(.stride(_, let intervals)) = $0.answer { intervals } else { nil }
        }
        #expect(strides == [4, 1])
    }

    @Test(arguments: [
        (SystemParameter.BackgroundLinkLoss.survives, [String]()),
        (.removed, ["didRemove timeout"]),
        (.invalidated, ["didInvalidate accessoryPeerDeviceUnavailable"]),
    ])
    func aLinkThatIsLostThereHasTheEndingThatTheParameterSays(
        _ ending: SystemParameter.BackgroundLinkLoss, _ calls: [String]
    ) throws {
        let bench = try inBackground(
            .with {
                $0.backgroundLinkLoss = ending
                $0.removalTimeout = .seconds(60)
            })
        bench.round(2_500)
        bench.system { $0.linkEnded(of: Address(0xC0FFEE)) }
        bench.system { $0.setForeground(true) }
        #expect(bench.heard == calls)
    }

    @Test(arguments: [
        (
            SystemParameter.UnpairedAccessory.invalidated,
            ["didInvalidate accessoryPeerDeviceUnavailable"]
        ),
        (.removed, ["didRemove timeout"]), (.silent, []),
    ])
    func anUnpairedAccessoryHasTheEndingThatTheParameterSays(
        _ ending: SystemParameter.UnpairedAccessory, _ calls: [String]
    ) throws {
        let bench = try SessionBench(.with { $0.unpairedAccessory = ending })
        try bench.run(background(bench))
        bench.wait(.seconds(20))
        #expect(bench.heard == calls)
    }

    // MARK: Permission

    @Test func thePromptShowsWhatTheAppSays() throws {
        let bench = try SessionBench(
            .with {
                $0.permission = .askAllow
                $0.usageText = "To find your keys."
            }
        ).run(accessoryConfiguration())
        #expect(
            bench.chamber.values(of: "text", in: "system.prompt") == [.text("To find your keys.")])
    }

    @Test func aDeletedAppIsAskedAgain() throws {
        let bench = try SessionBench(.with { $0.permission = .askAllow })
            .run(accessoryConfiguration())
        bench.wait(.seconds(2))
        bench.system { $0.forgetPermission() }
        try bench.run(accessoryConfiguration())
        #expect(bench.chamber.kinds(of: 0, "system.prompt").count == 2)
    }
}
