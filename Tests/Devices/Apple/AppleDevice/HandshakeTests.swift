import AccessoryProtocol
import AppleDevice
import DeviceChamber
import NearbyInteraction
import Testing
import Vocabulary

/// The app's policy for one accessory: events in, steps out.
struct HandshakeTests {
    private let data = accessoryData()

    /// A handshake that has got to a state, on a link.
    private func handshake(
        _ events: [Handshake.Event] = [.subscribed], defects: [AppDefect] = []
    ) -> Handshake {
        var handshake = Handshake(RetryPolicy(), defects: defects)
        for event in events { _ = handshake.handle(event, at: 0) }
        return handshake
    }

    private var ranging: [Handshake.Event] {
        [
            .subscribed, .received(.accessoryConfigurationData(data)), .shareable([1]),
            .received(.accessoryUwbDidStart),
        ]
    }

    @Test func theWayToRanging() {
        var handshake = Handshake(RetryPolicy())
        let steps = ranging.map { handshake.handle($0, at: 0) }
        #expect(
            steps == [
                [.started, .attempt(1), .send(.initialize)],
                [.answered, .run(data)],
                [.send(.configureAndStart([1]))],
                [.answered],
            ])
        #expect(handshake.state == .ranging)
    }

    /// R4 3.2 leaves it to the maker how configuration data comes, and what is said beside it.
    @Test func anAppThatFitsAnAccessoryNeitherAsksNorWaitsForAWord() {
        var handshake = Handshake(RetryPolicy(), asksFirst: false)
        let early: [Handshake.Event] = [.received(.accessoryConfigurationData(data)), .subscribed]
        #expect(
            early.map { handshake.handle($0, at: 0) } == [
                [], [.started, .attempt(1), .answered, .run(data)],
            ])
        #expect(handshake.handle(.shareable([1]), at: 0) == [.send(.configureAndStart([1]))])
        #expect(handshake.handle(.updated(isMeasured: true), at: 1) == [.answered])
        #expect(handshake.state == .ranging)
        _ = handshake.handle(.stop, at: 2)
        _ = handshake.handle(.received(.accessoryUwbDidStop), at: 2)
        #expect(handshake.handle(.start, at: 3) == [.started, .attempt(1), .listen])
    }

    @Test func fiveAttemptsWithDoublingPausesAndThenNoMore() {
        var handshake = handshake()
        var pauses: [Double] = []
        var last: [Handshake.Step] = []
        while handshake.state == .initializing {
            last = handshake.handle(.requestTimedOut, at: 0)
            for case .retry(let pause) in last { pauses.append(pause) }
            _ = handshake.handle(.retryDue, at: 0)
        }
        #expect(pauses == [0.5, 1, 2, 4])
        #expect(last == [.answered, .cancelRetry, .gaveUp("initialize was not answered")])
        #expect(handshake.state == .gaveUp)
    }

    @Test func pausesGrowToTheLongest() {
        var policy = RetryPolicy()
        policy.attempts = 8
        #expect((1...7).map(policy.delay(after:)) == [0.5, 1, 2, 4, 8, 8, 8])
    }

    @Test func tenSecondsOfRangingForgiveWhatFailedBefore() {
        for (length, attempt) in [(9.9, 2), (10.0, 1)] {
            var handshake = handshake(ranging)
            _ = handshake.handle(.updated(isMeasured: true), at: 100)
            _ = handshake.handle(.updated(isMeasured: false), at: 200)
            _ = handshake.handle(.updated(isMeasured: true), at: 100 + length)
            _ = handshake.handle(.removed(.timeout), at: 120)
            _ = handshake.handle(.received(.accessoryUwbDidStop), at: 120)
            #expect(
                handshake.handle(.retryDue, at: 121) == [.attempt(attempt), .send(.initialize)])
        }
    }

    @Test func aRemovalByTimeoutStopsAndThenInitializesAnew() {
        var handshake = handshake(ranging)
        #expect(
            handshake.handle(.removed(.timeout), at: 0)
                == [.answered, .send(.stop), .retry(after: 0.5)])
        #expect(handshake.handle(.retryDue, at: 0.5) == [])
        #expect(
            handshake.handle(.received(.accessoryUwbDidStop), at: 0.6)
                == [.answered, .attempt(2), .send(.initialize)])
    }

    @Test func anUnansweredStopCountsAsAFailedAttempt() {
        var handshake = handshake(ranging)
        _ = handshake.handle(.removed(.timeout), at: 0)
        _ = handshake.handle(.retryDue, at: 0.5)
        #expect(
            handshake.handle(.requestTimedOut, at: 3)
                == [.answered, .attempt(3), .send(.initialize)])
    }

    @Test func aRemovalByThePeerIsNoReasonToRetry() {
        var handshake = handshake(ranging)
        #expect(handshake.handle(.removed(.peerEnded), at: 0) == [.answered, .stopped])
        #expect(handshake.state == .idle)
    }

    @Test func aSuspensionStopsAndItsEndInitializesWithoutAPause() {
        var handshake = handshake(ranging)
        #expect(handshake.handle(.suspended, at: 0) == [.answered, .send(.stop)])
        #expect(handshake.handle(.received(.accessoryUwbDidStop), at: 0) == [.answered])
        #expect(handshake.handle(.suspensionEnded, at: 9) == [.attempt(1), .send(.initialize)])
    }

    @Test func aSuspensionThatEndsEarlyWaitsForTheAnswerToStop() {
        var handshake = handshake(ranging + [.suspended])
        #expect(handshake.handle(.suspensionEnded, at: 0) == [])
        #expect(
            handshake.handle(.received(.accessoryUwbDidStop), at: 0)
                == [.answered, .attempt(1), .send(.initialize)])
    }

    @Test func aSuspensionDuringTheWaitPutsTheNextAttemptOff() {
        var handshake = handshake([.subscribed, .requestTimedOut])
        #expect(handshake.handle(.suspended, at: 0) == [.cancelRetry])
        #expect(handshake.handle(.retryDue, at: 1) == [])
        #expect(
            handshake.handle(.suspensionEnded, at: 2) == [.attempt(2), .send(.initialize)])
    }

    @Test(arguments: [Handshake.Event.lost(), .switchedOff])
    func anAttemptThatASuspensionInterruptedIsExcusedOnce(by end: Handshake.Event) {
        var handshake = handshake([.subscribed, .requestTimedOut, .retryDue, .suspended, end])
        #expect(handshake.attempts == 1)
        _ = handshake.handle(.subscribed, at: 0)
        #expect(handshake.attempts == 2)
    }

    @Test(arguments: NIError.Code.allCases)
    func anInvalidationIsRetriedUnlessThatIsPointless(_ code: NIError.Code) {
        var handshake = handshake(ranging)
        let steps = handshake.handle(.invalidated(code), at: 0)
        let isFinal: [NIError.Code] = [
            .userDidNotAllow, .invalidConfiguration, .unsupportedPlatform, .incompatiblePeerDevice,
        ]
        let isLimit: [NIError.Code] = [
            .activeSessionsLimitExceeded, .activeExtendedDistanceSessionsLimitExceeded,
        ]
        if isFinal.contains(code) {
            #expect(
                steps == [.answered, .cancelRetry, .send(.stop), .gaveUp(code.name)])
        } else if isLimit.contains(code) {
            #expect(steps == [.answered, .renew, .send(.stop), .retry(after: 8)])
            #expect(handshake.state == .limited)
        } else {
            #expect(steps == [.renew, .answered, .send(.stop), .retry(after: 0.5)])
        }
    }

    @Test func aLimitWaitsForAnotherSessionToClose() {
        var handshake = handshake([.subscribed, .received(.accessoryConfigurationData(data))])
        _ = handshake.handle(.invalidated(.activeSessionsLimitExceeded), at: 0)
        #expect(handshake.handle(.sessionClosed, at: 1) == [.retry(after: 0.5)])
        #expect(handshake.handle(.retryDue, at: 1.5) == [.attempt(2), .send(.initialize)])
    }

    @Test func didStopNeverDisconnects() {
        var handshake = handshake(ranging)
        _ = handshake.handle(.updated(isMeasured: true), at: 0)
        #expect(handshake.handle(.received(.accessoryUwbDidStop), at: 1) == [.pause, .stopped])
        var failing = self.handshake(Array(ranging.dropLast()))
        #expect(
            failing.handle(.received(.accessoryUwbDidStop), at: 1)
                == [.pause, .answered, .retry(after: 0.5)])
    }

    @Test func aLostLinkIsWantedAgainAtOnceWhereTheHandshakeWasComplete() {
        var complete = handshake(ranging)
        #expect(
            complete.handle(.lost(), at: 0) == [.answered, .cancelRetry, .invalidate, .connect])
        var incomplete = handshake()
        #expect(
            incomplete.handle(.lost(), at: 0)
                == [.answered, .cancelRetry, .invalidate, .retry(after: 0.5)])
        #expect(incomplete.handle(.retryDue, at: 0.5) == [.connect])
    }

    @Test func linksThatFailBeforeTheSubscriptionCountToo() {
        var handshake = Handshake(RetryPolicy())
        let steps = (0..<5).map { _ in handshake.handle(.lost(), at: 0).last }
        #expect(
            steps == [
                .retry(after: 0.5), .retry(after: 1), .retry(after: 2), .retry(after: 4),
                .gaveUp("the link was lost"),
            ])
    }

    @Test func whatCannotBeReadFailsTheAttemptThatWaited() {
        var waiting = handshake()
        #expect(waiting.handle(.unreadable, at: 0) == [.answered, .retry(after: 0.5)])
        var idle = handshake(ranging)
        #expect(idle.handle(.unreadable, at: 0) == [])
    }

    @Test func theUserStopsAndStarts() {
        var handshake = handshake(ranging)
        #expect(
            handshake.handle(.stop, at: 0)
                == [.answered, .cancelRetry, .pause, .send(.stop), .stopped])
        _ = handshake.handle(.received(.accessoryUwbDidStop), at: 0)
        #expect(handshake.handle(.start, at: 1) == [.started, .attempt(1), .send(.initialize)])
    }

    @Test func aStopThatIsNeverAnsweredHindersNoLaterStart() {
        var handshake = handshake(ranging + [.suspended, .suspensionEnded])
        #expect(handshake.handle(.stop, at: 0) == [.cancelRetry, .pause, .stopped])
        #expect(handshake.handle(.start, at: 0) == [.started])
        #expect(
            handshake.handle(.requestTimedOut, at: 2)
                == [.answered, .attempt(2), .send(.initialize)])
    }

    @Test func theUserStopsWhatWaitsForItsLink() {
        var handshake = handshake(ranging + [.lost()])
        #expect(handshake.handle(.stop, at: 0) == [.stopped])
        #expect(handshake.handle(.stop, at: 0) == [])
    }

    @Test func theUserRevivesWhatGaveUp() {
        var handshake = handshake([.subscribed, .invalidated(.userDidNotAllow)])
        #expect(handshake.state == .gaveUp)
        #expect(handshake.handle(.start, at: 1) == [.started, .attempt(1), .send(.initialize)])
    }

    @Test(arguments: [Handshake.Event.stop, .removed(.peerEnded), .lost()])
    func aSessionThatNobodyWaitsForIsReplacedAndNotTried(after end: Handshake.Event) {
        var handshake = handshake(ranging + [end])
        let before = handshake.state
        #expect(handshake.handle(.invalidated(.sessionFailed), at: 0) == [.renew])
        #expect(handshake.state == before)
    }

    @Test func defectsChangeThePolicyAsTheFieldBugsDid() {
        var unbounded = handshake(ranging, defects: [.unboundedRetries])
        #expect(
            unbounded.handle(.removed(.timeout), at: 0)
                == [.send(.stop), .attempt(2), .send(.initialize)])
        var deaf = handshake(ranging + [.suspended], defects: [.ignoresSuspensionEnded])
        #expect(deaf.handle(.suspensionEnded, at: 0) == [])
        var loud = handshake(ranging, defects: [.rangesThroughSuspension])
        #expect(loud.handle(.suspended, at: 0) == [.answered])
        var old = handshake(ranging + [.suspended], defects: [.resumesOldConfiguration])
        #expect(old.handle(.suspensionEnded, at: 0) == [.run(data)])
        var blind = handshake(ranging, defects: [.ignoresRemoval])
        #expect(blind.handle(.removed(.timeout), at: 0) == [])
        var late = handshake(ranging, defects: [.writesAfterInvalidation])
        #expect(
            late.handle(.invalidated(.sessionFailed), at: 0).first
                == .send(.configureAndStart([1])))
        var stubborn = handshake(ranging, defects: [.retriesWhenDenied])
        #expect(
            stubborn.handle(.invalidated(.userDidNotAllow), at: 0).last == .send(.initialize))
        var abrupt = handshake(ranging + [.stop], defects: [.disconnectsOnDidStop])
        #expect(abrupt.handle(.received(.accessoryUwbDidStop), at: 0).last == .disconnect)
        var easilyShocked = handshake(ranging, defects: [.disconnectsWhenSurprised])
        #expect(easilyShocked.handle(.received(.accessoryUwbDidStop), at: 0) == [.disconnect])
        var sticky = handshake(ranging, defects: [.keepsSessionAfterDisconnect])
        #expect(sticky.handle(.lost(), at: 0) == [.answered, .cancelRetry, .connect])
        var pushy = handshake(ranging, defects: [.retriesWhenEnded])
        #expect(pushy.handle(.removed(.peerEnded), at: 0).last == .retry(after: 0.5))
        var hasty = handshake(ranging, defects: [.runsWhileSuspended])
        #expect(hasty.handle(.suspended, at: 0) == [.run(data)])
        #expect(hasty.handle(.suspended, at: 0) == [.answered, .send(.stop)])
        var stale = handshake(ranging + [.lost()], defects: [.keepsConfiguration])
        #expect(stale.handle(.subscribed, at: 0) == [.started, .run(data)])
        var restless = handshake(ranging, defects: [.triesAfterGivingUp])
        #expect(
            restless.handle(.invalidated(.userDidNotAllow), at: 0)
                == [.answered, .send(.stop), .gaveUp("userDidNotAllow"), .retry(after: 8)])
        var forgetful = handshake(ranging, defects: [.abandonsLostLink])
        #expect(forgetful.handle(.lost(), at: 0) == [.answered, .cancelRetry, .invalidate])
    }
}
