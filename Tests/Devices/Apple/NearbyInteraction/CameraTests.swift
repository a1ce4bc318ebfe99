import ARKit
import DeviceChamber
import DeviceKit
import NearbyInteraction
import Testing
import Vocabulary

/// What the camera finds out about an accessory, and when the app is told.
struct CameraTests {
    private static let begin = ["didStartRunning", "didGenerate"]
    private static let told = "didUpdateAlgorithmConvergence "

    /// A session with the app's ARSession, which has a frame.
    private static func bench(
        _ parameters: NearbyInteractionParameters = .plain,
        _ configuration: ARWorldTrackingConfiguration = ARWorldTrackingConfiguration(),
        hasFrame: Bool = true
    ) throws -> (bench: SessionBench, camera: ARSession) {
        let bench = try SessionBench(parameters)
        var camera: ARSession?
        bench.app {
            camera = ARSession()
            camera?.run(configuration)
        }
        if hasFrame { see(bench) }
        let accessory = try assisted()
        bench.app {
            let session = NISession()
            session.delegate = bench.recorder
            bench.recorder.sessions.append(session)
            if let camera { session.setARSession(camera) }
            session.run(accessory)
        }
        bench.wait()
        return (bench, try #require(camera))
    }

    private static func assisted() throws -> NINearbyAccessoryConfiguration {
        let configuration = try accessoryConfiguration()
        configuration.isCameraAssistanceEnabled = true
        return configuration
    }

    private static func see(
        _ bench: SessionBench, x: Int32 = 0, heading: Int16 = 0, pitch: Int16 = 0,
        light: UInt32 = 500
    ) {
        let frame = CameraFrame(
            place: RoomPlace(x: x, y: 0, z: 0), heading: heading, pitch: pitch, isUpright: true,
            light: light)
        bench.chamber.turn(0, .camera(frame))
        bench.wait(0)
    }

    /// A round that finds the accessory at a place, 45° to the right and 30° up.
    private static func measure(_ bench: SessionBench, at x: Int32 = 2_000, isInView: Bool = true) {
        bench.round(
            2_800, azimuth: 4_500,
            sight: UWBSight(
                isInView: isInView, horizontal: 4_500, vertical: 3_000,
                place: RoomPlace(x: x, y: 2_000, z: 1_600)))
    }

    /// What was missing each time that the app was told, or that nothing is.
    private static func convergences(_ bench: SessionBench) -> [String] {
        let kind = "ni.didUpdateAlgorithmConvergence"
        return zip(
            bench.chamber.values(of: "status", in: kind),
            bench.chamber.values(of: "missing", in: kind)
        ).map { status, missing in
            if case .text(let text) = missing {
                text
            } else if case .text(let text) = status {
                text
            } else {
                "?"
            }
        }
    }

    @Test func oneConditionAfterTheOtherIsMetUntilTheObjectIsFound() throws {
        let (bench, _) = try Self.bench()
        Self.see(bench)
        Self.measure(bench)
        Self.see(bench, x: 300)
        Self.see(bench, x: 300, heading: 1_500)
        Self.see(bench, x: 300, heading: 1_500, pitch: 500)
        #expect(
            Self.convergences(bench) == [
                """
                insufficientMovement, insufficientHorizontalSweep, insufficientVerticalSweep, \
                insufficientSignalStrength
                """,
                "insufficientMovement, insufficientHorizontalSweep, insufficientVerticalSweep",
                "insufficientHorizontalSweep, insufficientVerticalSweep",
                "insufficientVerticalSweep", "converged",
            ])
        Self.measure(bench, isInView: false)
        let object = bench.recorder.objects[0]
        #expect(object.horizontalAngle.map { abs($0 - .pi / 4) < 0.001 } == true)
        #expect(object.verticalDirectionEstimate == .above)
        // Once it was met, its direction is known beyond the field of view, too.
        #expect(object.direction != nil)
    }

    @Test func withoutALookUpItIsNotKnownWhetherTheObjectIsAboveOrBelow() throws {
        let (bench, _) = try Self.bench()
        Self.measure(bench)
        Self.see(bench)
        Self.see(bench, x: 300, heading: 1_500)
        Self.measure(bench)
        #expect(bench.recorder.objects[0].verticalDirectionEstimate == .aboveOrBelow)
    }

    private static func found(
        _ parameters: NearbyInteractionParameters = .plain
    ) throws -> SessionBench {
        let bench = try bench(parameters).bench
        measure(bench)
        see(bench)
        see(bench, x: 300, heading: 1_500, pitch: 500)
        measure(bench)
        #expect(convergences(bench).last == "converged")
        return bench
    }

    @Test func darknessASignalThatIsLostAndAnObjectThatMovesUndoIt() throws {
        let dark = try Self.found()
        Self.see(dark, x: 300, heading: 1_500, pitch: 500, light: 10)
        #expect(Self.convergences(dark).last == "insufficientLighting")
        let silent = try Self.found()
        for _ in 0..<3 { silent.round(nil) }
        #expect(Self.convergences(silent).last == "insufficientSignalStrength")
        let moved = try Self.found()
        Self.measure(moved, at: 3_100)
        #expect(
            Self.convergences(moved).last
                == "insufficientMovement, insufficientHorizontalSweep, insufficientVerticalSweep")
        let moving = try Self.found(.with { $0.convergenceDrift = 2_000 })
        Self.measure(moving, at: 3_100)
        #expect(Self.convergences(moving).last == "converged")
    }

    @Test func anObjectThatWasNeverInViewIsNotFoundByAntennasForDirections() throws {
        for (hasAntennas, expected) in [
            (true, "insufficientHorizontalSweep"), (false, "converged"),
        ] {
            let (bench, _) = try Self.bench(
                .with { $0.capabilities.supportsDirectionMeasurement = hasAntennas })
            Self.measure(bench, isInView: false)
            Self.see(bench)
            Self.see(bench, x: 300, heading: 1_500, pitch: 500)
            #expect(Self.convergences(bench).last == expected)
            Self.measure(bench, isInView: false)
            #expect(bench.recorder.objects[0].direction == nil)
        }
    }

    @Test func whereTheObjectIsInTheCamerasSpaceIsKnownOnceItIsFound() throws {
        let bench = try Self.bench().bench
        Self.measure(bench)
        var transform: simd_float4x4?
        func ask() {
            bench.app {
                transform = bench.session.worldTransform(for: bench.recorder.objects[0])
            }
        }
        ask()
        #expect(transform == nil)
        Self.see(bench)
        Self.see(bench, x: 300, heading: 1_500, pitch: 500)
        ask()
        // 2 m to the right, 2 m ahead and 1.6 m up.
        let place = try #require(transform?.columns.3)
        #expect(abs(place.x - 2) < 0.001 && abs(place.y - 1.6) < 0.001 && abs(place.z + 2) < 0.001)
    }

    @Test func anARSessionThatDoesNotFitEndsTheSession() throws {
        let unfit: [(ARWorldTrackingConfiguration) -> Void] = [
            { $0.worldAlignment = .camera }, { $0.isCollaborationEnabled = true },
            { $0.userFaceTrackingEnabled = true }, { $0.initialWorldMap = ARWorldMap() },
        ]
        for change in unfit {
            let configuration = ARWorldTrackingConfiguration()
            change(configuration)
            let (bench, _) = try Self.bench(.plain, configuration)
            #expect(bench.heard == ["didInvalidate invalidARConfiguration"])
        }
        let (bench, camera) = try Self.bench()
        #expect(bench.heard == Self.begin)
        bench.app {
            let configuration = ARWorldTrackingConfiguration()
            configuration.isCollaborationEnabled = true
            camera.run(configuration)
        }
        #expect(bench.heard == ["didInvalidate invalidARConfiguration"])
    }

    @Test func beforeTheFirstFrameItIsTooEarlyOrWaits() throws {
        let (early, _) = try Self.bench(hasFrame: false)
        #expect(early.heard == ["didInvalidate invalidARConfiguration"])
        let (patient, _) = try Self.bench(.with { $0.unreadyCamera = .waits }, hasFrame: false)
        #expect(patient.heard == Self.begin)
        Self.see(patient)
        #expect(patient.heard.first?.hasPrefix(Self.told) == true)
    }

    @Test(arguments: [
        (SystemParameter.UnsharedCamera.invalidated, ["didInvalidate invalidARConfiguration"]),
        (.suspended, ["wasSuspended"]),
    ])
    func aSecondSessionWithACameraOfItsOwnTakesItFromTheFirst(
        _ ending: SystemParameter.UnsharedCamera, _ calls: [String]
    ) throws {
        let bench = try SessionBench(.with { $0.unsharedCamera = ending })
        try bench.run(Self.assisted())
        bench.wait()
        #expect(bench.heard == Self.begin)
        try bench.run(Self.assisted())
        bench.wait()
        #expect(bench.heard == calls + Self.begin)
        bench.app { bench.recorder.sessions[1].pause() }
        bench.wait()
        #expect(bench.heard == (ending == .suspended ? ["suspensionEnded"] : []))
    }

    @Test func whatIsSetWhileTheSessionRunsCountsFromTheNextRun() throws {
        let bench = try SessionBench()
        try bench.run(accessoryConfiguration())
        bench.wait()
        let assisted = try Self.assisted()
        bench.app {
            let camera = ARSession()
            camera.run(ARWorldTrackingConfiguration())
            bench.session.setARSession(camera)
            bench.recorder.onCall = { _ in _ = camera }
        }
        Self.see(bench)
        #expect(bench.heard == Self.begin)
        bench.app { bench.session.run(assisted) }
        bench.wait()
        Self.see(bench)
        #expect(bench.heard.last?.hasPrefix(Self.told) == true)
    }

    @Test func inABackgroundSessionTheCameraHasNoEffect() throws {
        let bench = try SessionBench()
        bench.accessories.isPaired = true
        bench.accessories.configurations = [accessoryData()]
        let configuration = try NINearbyAccessoryConfiguration(
            accessoryData: Data(accessoryData()),
            bluetoothPeerIdentifier: bench.accessories.identifier)
        configuration.isCameraAssistanceEnabled = true
        bench.run(configuration)
        bench.wait()
        Self.see(bench)
        #expect(bench.heard == Self.begin)
        #expect(!bench.chamber.kinds().contains { $0.hasPrefix("ar.") })
    }
}
