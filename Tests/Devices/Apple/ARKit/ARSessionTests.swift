import ARKit
import AppleSimd
import DeviceChamber
import DeviceKit
import Testing

/// One camera, and the sessions of an app that want it.
struct ARSessionTests {
    private let bench: AppBench
    private let recorder = ARRecorder()

    init() throws {
        bench = try AppBench { context in
            let camera = ARKitSystem(
                CameraParameters(startDelay: .milliseconds(500), frameInterval: 100, light: 50),
                in: context)
            return { event in
                if case .timer("background") = event { camera.setForeground(false) }
                if case .timer("foreground") = event { camera.setForeground(true) }
                return camera.handle(event)
            }
        }
    }

    /// What the camera was asked for, in milliseconds from frame to frame.
    private var asked: [UInt16] {
        bench.chamber.answers.compactMap {
            if case .camera(let interval) = $0.answer { interval } else { nil }
        }
    }

    private func run(_ configuration: ARWorldTrackingConfiguration? = nil) {
        bench.app { [recorder] in
            let session = ARSession()
            session.delegate = recorder
            recorder.sessions.append(session)
            session.run(configuration ?? ARWorldTrackingConfiguration())
        }
    }

    private func take(_ x: Int32 = 0, heading: Int16 = 0, pitch: Int16 = 0, light: UInt32 = 500) {
        let frame = CameraFrame(
            place: RoomPlace(x: x, y: 0, z: 0), heading: heading, pitch: pitch, isUpright: false,
            light: light)
        bench.chamber.turn(0, .camera(frame))
        bench.wait(0)
    }

    @Test func theCameraIsOnAWhileAfterRunAndOffAfterPause() {
        run()
        #expect(asked == [])
        bench.wait(.milliseconds(500))
        #expect(asked == [100])
        take()
        bench.app { [recorder] in recorder.sessions[0].pause() }
        #expect(asked == [100, 0])
        #expect(
            bench.chamber.kinds()
                == ["ar.run", "ar.frame", "ar.cameraDidChangeTrackingState", "ar.pause"])
    }

    @Test func theSpaceBeginsWhereTheFirstFrameLooks() throws {
        run()
        bench.wait(.seconds(1))
        // It looks to the right, so that a step to the right is one ahead: along -z.
        take(0, heading: 9_000)
        take(1_500, heading: 9_000)
        let camera = try #require(recorder.sessions[0].currentFrame?.camera)
        let place = camera.transform.columns.3
        #expect(abs(place.x) < 0.001 && abs(place.y) < 0.001 && abs(place.z + 1.5) < 0.001)
        // Then it turns back by a quarter, and looks along -x.
        take(1_500, heading: 0)
        let back = try #require(recorder.sessions[0].currentFrame?.camera.transform.columns.2)
        #expect(abs(back.x - 1) < 0.001 && abs(back.z) < 0.001)
    }

    @Test func inTheDarkThePositionIsNotKnownWell() {
        run()
        bench.wait(.seconds(1))
        take()
        take(light: 10)
        #expect(
            recorder.heard == [
                "normal", "frame 500.0", "limited(insufficientFeatures)", "frame 10.0",
            ])
    }

    @Test func aSessionThatIsRunTakesTheCamera() {
        run()
        bench.wait(.seconds(1))
        take()
        run()
        bench.wait(.seconds(1))
        #expect(recorder.heard == ["normal", "frame 500.0", "interrupted"])
        #expect(asked == [100, 0, 100])
        take()
        #expect(recorder.sessions[1].currentFrame != nil)
    }

    @Test func inTheBackgroundThereIsNoCamera() {
        run()
        bench.wait(.seconds(1))
        bench.chamber.turn(0, .timer(name: "background"))
        bench.chamber.turn(0, .timer(name: "foreground"))
        bench.wait(.seconds(1))
        #expect(recorder.heard == ["interrupted", "interruption ended"])
        #expect(asked == [100, 0, 100])
    }

    @Test func whoLetsGoOfASessionGivesTheCameraBack() {
        bench.app {
            ARSession().run(ARWorldTrackingConfiguration())
        }
        bench.wait(.seconds(1))
        #expect(asked == [0])
    }
}

private final class ARRecorder: ARSessionDelegate {
    var sessions: [ARSession] = []
    var heard: [String] = []

    func session(_ session: ARSession, didUpdate frame: ARFrame) {
        heard.append("frame \(frame.lightEstimate?.ambientIntensity ?? 0)")
    }

    func session(_ session: ARSession, cameraDidChangeTrackingState camera: ARCamera) {
        heard.append(
            "\(camera.trackingState)".replacing("ARKit.ARCamera.TrackingState.Reason.", with: ""))
    }

    func sessionWasInterrupted(_ session: ARSession) { heard.append("interrupted") }

    func sessionInterruptionEnded(_ session: ARSession) { heard.append("interruption ended") }
}
