public import AppleFoundation

/// Where and when something is done.
public protocol Scheduler {
    func schedule(_ action: @escaping () -> Void)
    /// Does something after so many seconds.
    func schedule(afterSeconds seconds: Double, _ action: @escaping () -> Void) -> AnyCancellable
}

extension DispatchQueue: Scheduler {
    public func schedule(_ action: @escaping () -> Void) { post(action) }

    public func schedule(
        afterSeconds seconds: Double, _ action: @escaping () -> Void
    ) -> AnyCancellable {
        let item = DispatchWorkItem(block: action)
        asyncAfter(deadline: .now().advanced(bySeconds: seconds), execute: item)
        return AnyCancellable { item.cancel() }
    }
}

extension RunLoop: Scheduler {
    public func schedule(_ action: @escaping () -> Void) { perform(action) }

    public func schedule(
        afterSeconds seconds: Double, _ action: @escaping () -> Void
    ) -> AnyCancellable {
        DispatchQueue.main.schedule(afterSeconds: seconds, action)
    }
}

/// A length of time of a scheduler.
public struct SchedulerInterval: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, Sendable {
    let seconds: Double

    public init(floatLiteral seconds: Double) { self.seconds = seconds }
    public init(integerLiteral seconds: Int) { self.seconds = Double(seconds) }
    private init(_ seconds: Double) { self.seconds = seconds }

    public static func seconds(_ count: Double) -> SchedulerInterval { SchedulerInterval(count) }
    public static func milliseconds(_ count: Int) -> SchedulerInterval {
        SchedulerInterval(Double(count) / 1_000)
    }
    public static func microseconds(_ count: Int) -> SchedulerInterval {
        SchedulerInterval(Double(count) / 1_000_000)
    }
    public static func nanoseconds(_ count: Int) -> SchedulerInterval {
        SchedulerInterval(Double(count) / 1_000_000_000)
    }
}

extension Publisher {
    /// Values and the end come on a scheduler.
    public func receive(on scheduler: some Scheduler) -> AnyPublisher<Output, Failure> {
        AnyPublisher { value, completion in
            var isOver = false
            let work = observe(
                { next in scheduler.schedule { if !isOver { value(next) } } },
                completion: { end in scheduler.schedule { if !isOver { completion(end) } } })
            return AnyCancellable {
                isOver = true
                work.cancel()
            }
        }
    }

    /// Subscribes at once: there is nobody to wait for.
    public func subscribe(on scheduler: some Scheduler) -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }

    /// Each value so much later.
    public func delay(
        for interval: SchedulerInterval, scheduler: some Scheduler
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { value, completion in
            var isOver = false
            func later(_ action: @escaping () -> Void) {
                // Whoever cancels is heard by the flag.
                let wait = scheduler.schedule(afterSeconds: interval.seconds) {
                    if !isOver { action() }
                }
                waits.append(wait)
            }
            var waits: [AnyCancellable] = []
            let work = observe(
                { next in later { value(next) } },
                completion: { end in later { completion(end) } })
            return AnyCancellable {
                isOver = true
                waits = []
                work.cancel()
            }
        }
    }

    /// A value once none has come for so long.
    public func debounce(
        for interval: SchedulerInterval, scheduler: some Scheduler
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { value, completion in
            var wait: AnyCancellable?
            let work = observe(
                { next in
                    wait?.cancel()
                    wait = scheduler.schedule(afterSeconds: interval.seconds) { value(next) }
                },
                completion: {
                    wait?.cancel()
                    completion($0)
                })
            return AnyCancellable {
                wait?.cancel()
                work.cancel()
            }
        }
    }

    /// At most one value in so long: the latest, or the first.
    public func throttle(
        for interval: SchedulerInterval, scheduler: some Scheduler, latest: Bool
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { value, completion in
            var (wait, kept): (AnyCancellable?, Output?) = (nil, nil)
            func rest() {
                wait = scheduler.schedule(afterSeconds: interval.seconds) {
                    wait = nil
                    guard let next = kept else { return }
                    kept = nil
                    value(next)
                    rest()
                }
            }
            let work = observe(
                { next in
                    guard wait != nil else {
                        value(next)
                        return rest()
                    }
                    if latest || kept == nil { kept = next }
                }, completion: completion)
            return AnyCancellable {
                wait?.cancel()
                work.cancel()
            }
        }
    }
}

extension Timer {
    /// A publisher of dates, which begins once it is connected.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop,
        in mode: RunLoop.Mode
    ) -> TimerPublisher {
        TimerPublisher(interval)
    }

    /// The dates at which a timer fires.
    public final class TimerPublisher: Publisher {
        public typealias Output = Date
        public typealias Failure = Never
        private let interval: TimeInterval
        private let subject = PassthroughSubject<Date, Never>()

        fileprivate init(_ interval: TimeInterval) { self.interval = interval }

        /// Begins; whoever lets go of what is given stops it.
        public func connect() -> any Cancellable {
            let timer = Timer.scheduledTimer(withTimeInterval: interval, repeats: true) {
                [subject] in subject.send($0.fireDate.addingTimeInterval(-$0.timeInterval))
            }
            return AnyCancellable { timer.invalidate() }
        }

        /// Begins with the first subscriber, and stops with it.
        public func autoconnect() -> AnyPublisher<Date, Never> {
            AnyPublisher { [self] value, completion in
                let work = subject.observe(value, completion: completion)
                let connection = connect()
                return AnyCancellable {
                    connection.cancel()
                    work.cancel()
                }
            }
        }

        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Date, Downstream.Failure == Never {
            subject.receive(subscriber: subscriber)
        }
    }
}

extension NotificationCenter {
    /// The notifications of a name.
    public func publisher(
        for name: Notification.Name, object: AnyObject? = nil
    ) -> AnyPublisher<Notification, Never> {
        AnyPublisher { value, _ in
            let value = Kept(value)
            let token = Kept(
                self.addObserver(forName: name, object: object, queue: nil) { value.value($0) })
            return AnyCancellable { self.removeObserver(token.value) }
        }
    }
}
