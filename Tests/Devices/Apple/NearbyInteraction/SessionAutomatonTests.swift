import DeviceKit
import NearbyInteraction
import Testing

/// The automaton alone: events in, callbacks out.
struct SessionAutomatonTests {
    private let measurement = UWBMeasurement(
        distance: 1_000, azimuth: nil, elevation: nil, isLineOfSight: true)

    private func callbacks(
        _ events: [SessionAutomaton.Event],
        _ change: (inout NearbyInteractionParameters) -> Void = { _ in }
    ) -> [SessionAutomaton.Callback] {
        var automaton = SessionAutomaton(.with(change))
        return events.flatMap { automaton.handle($0) }.compactMap {
            guard case .call(let callback) = $0 else { return nil }
            return callback
        }
    }

    private let start: [SessionAutomaton.Event] = [
        .run, .cleared, .resourcesReady, .radio(status: 0),
    ]

    @Test func aRunStartsAndThenTellsTheShareableData() {
        #expect(callbacks(start) == [.didStartRunning, .didGenerate])
    }

    @Test func theOrderOfAStartIsAParameter() {
        #expect(
            callbacks(start) { $0.startOrder = .shareableFirst } == [
                .didGenerate, .didStartRunning,
            ])
    }

    @Test func nothingIsUpdatedBeforeTheFirstMeasurement() {
        #expect(
            callbacks(start + [.round(nil), .round(measurement), .round(nil)])
                == [
                    .didStartRunning, .didGenerate, .didUpdate(measurement), .didUpdate(nil),
                ])
    }

    @Test func aRunWhileSuspendedIsSuspendedAgain() {
        #expect(
            callbacks([.run, .suspend(isSystem: true), .run])
                == [.wasSuspended, .wasSuspended])
    }

    @Test func aSessionNeverResumesByItself() {
        #expect(
            callbacks(
                start + [
                    .round(measurement), .suspend(isSystem: false), .round(measurement),
                    .suspensionEnded, .round(measurement), .suspensionEnded,
                ])
                == [
                    .didStartRunning, .didGenerate, .didUpdate(measurement), .wasSuspended,
                    .suspensionEnded,
                ])
    }

    @Test func leavingTheForegroundCallsBackOnlyWhilePendingOrRunning() {
        let leave = SessionAutomaton.Event.suspend(isSystem: false)
        #expect(callbacks([leave]) == [])
        #expect(callbacks([.run, leave]) == [.wasSuspended])
        #expect(callbacks([.run, .pause, leave]) == [])
        #expect(
            callbacks([.run, leave, .suspensionEnded, leave]) == [.wasSuspended, .suspensionEnded])
    }

    @Test func theSystemSuspendsAgainWhatWasNotRunSince() {
        let suspend = SessionAutomaton.Event.suspend(isSystem: true)
        #expect(
            callbacks([.run, suspend, .suspensionEnded, suspend])
                == [.wasSuspended, .suspensionEnded, .wasSuspended])
    }

    @Test func aRefusedRadioInvalidatesOrRemoves() {
        let refused: [SessionAutomaton.Event] = [
            .run, .cleared, .resourcesReady, .radio(status: 1),
        ]
        #expect(callbacks(refused) == [.didInvalidate(.sessionFailed)])
        #expect(callbacks(refused) { $0.radioRefusal = .removed } == [.didRemove(.timeout)])
    }

    @Test func afterARemovalOnlyARunGoesOn() {
        #expect(
            callbacks(start + [.silence, .round(measurement), .silence, .peerEnded] + start)
                == [
                    .didStartRunning, .didGenerate, .didRemove(.timeout), .didStartRunning,
                    .didGenerate,
                ])
    }

    @Test func aRerunStartsAgainOrNot() {
        #expect(
            callbacks(start + start)
                == [.didStartRunning, .didGenerate, .didStartRunning, .didGenerate])
        #expect(
            callbacks(start + start) { $0.rerunStart = .once }
                == [.didStartRunning, .didGenerate, .didGenerate])
    }

    @Test func ownInvalidationIsSilentOrCalledBack() {
        #expect(callbacks([.invalidate]) == [])
        #expect(
            callbacks([.invalidate]) { $0.ownInvalidate = .callsBack }
                == [.didInvalidate(.sessionFailed)])
    }

    @Test func everyStateCanBecomeInvalidAndNothingFollows() {
        let ways: [[SessionAutomaton.Event]] = [
            [], [.run], start, [.run, .suspend(isSystem: true)],
            [.run, .suspend(isSystem: true), .suspensionEnded], start + [.silence], [.run, .pause],
        ]
        for way in ways {
            let after = callbacks(
                way + [.fail(.sessionFailed)] + start
                    + [
                        .round(measurement), .suspend(isSystem: true), .suspensionEnded, .silence,
                        .pause, .fail(.sessionFailed), .invalidate,
                    ])
            #expect(after.last == .didInvalidate(.sessionFailed))
            #expect(after.count == callbacks(way).count + 1)
        }
    }

    @Test func aMismatchRemovesOrInvalidates() {
        #expect(
            callbacks(start + [.mismatch])
                == [.didStartRunning, .didGenerate, .didRemove(.timeout)])
        #expect(
            callbacks(start + [.mismatch]) { $0.configurationMismatch = .invalidated }
                == [.didStartRunning, .didGenerate, .didInvalidate(.invalidConfiguration)])
    }

    @Test func theDefectsOfTheSystemChangeOneThingEach() {
        let suspended =
            start + [.round(measurement), .suspend(isSystem: true), .round(measurement)]
        #expect(
            callbacks(suspended) { $0.defects = [.updateWhileSuspended] }.suffix(2)
                == [.wasSuspended, .didUpdate(measurement)])
        #expect(
            callbacks(start) { $0.defects = [.secondOutcome] }
                == [.didStartRunning, .didStartRunning, .didGenerate])
        #expect(
            callbacks(start + [.fail(.sessionFailed)]) { $0.defects = [.callbackAfterInvalidation] }
                .suffix(2) == [.didInvalidate(.sessionFailed), .didRemove(.timeout)])
        let refused = Array(start.dropLast()) + [.radio(status: 1)]
        #expect(callbacks(refused) { $0.defects = [.silentRefusal] } == [])
        #expect(
            callbacks(start) { $0.defects = [.updateBeforeShareableData] }
                == [.didStartRunning, .didUpdate(nil), .didGenerate])
        let removed = start + [.round(measurement), .silence, .round(nil)]
        #expect(
            callbacks(removed) { $0.defects = [.updatesAfterRemoval] }.suffix(2)
                == [.didRemove(.timeout), .didUpdate(nil)])
        #expect(
            callbacks(start + [.suspend(isSystem: true), .suspensionEnded]) {
                $0.defects = [.resumesByItself]
            }.suffix(2) == [.suspensionEnded, .didStartRunning])
        let zero = UWBMeasurement(distance: 0, azimuth: nil, elevation: nil, isLineOfSight: false)
        #expect(
            callbacks(start + [.round(measurement), .round(nil)]) { $0.defects = [.zeroForMiss] }
                .last == .didUpdate(zero))
    }
}
