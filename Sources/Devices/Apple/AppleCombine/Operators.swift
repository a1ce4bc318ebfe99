// What becomes of values on their way.
extension Publisher {
    /// What `step` does with each value; it may hand on as many as it wants.
    private func through<Other>(
        _ step: @escaping () -> (Output, (Other) -> Void) -> Void
    ) -> AnyPublisher<Other, Failure> {
        AnyPublisher { value, completion in
            let step = step()
            return observe({ step($0, value) }, completion: completion)
        }
    }

    public func map<Other>(_ change: @escaping (Output) -> Other) -> AnyPublisher<Other, Failure> {
        through { { $1(change($0)) } }
    }

    public func compactMap<Other>(
        _ change: @escaping (Output) -> Other?
    ) -> AnyPublisher<Other, Failure> {
        through { { if let other = change($0) { $1(other) } } }
    }

    public func filter(
        _ isWanted: @escaping (Output) -> Bool
    ) -> AnyPublisher<Output, Failure> {
        through { { if isWanted($0) { $1($0) } } }
    }

    /// What `combine` makes of all values so far.
    public func scan<Other>(
        _ first: Other, _ combine: @escaping (Other, Output) -> Other
    ) -> AnyPublisher<Other, Failure> {
        through {
            var sum = first
            return {
                sum = combine(sum, $0)
                $1(sum)
            }
        }
    }

    /// Leaves out values that are like the one before.
    public func removeDuplicates(
        by isSame: @escaping (Output, Output) -> Bool
    ) -> AnyPublisher<Output, Failure> {
        through {
            var last: Output?
            return {
                if let last, isSame(last, $0) { return }
                last = $0
                $1($0)
            }
        }
    }

    public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
        through {
            var left = count
            return { if left > 0 { left -= 1 } else { $1($0) } }
        }
    }

    /// The first values, and then the end.
    public func prefix(_ count: Int) -> AnyPublisher<Output, Failure> {
        AnyPublisher { value, completion in
            var left = count
            return observe(
                {
                    guard left > 0 else { return }
                    left -= 1
                    value($0)
                    if left == 0 { completion(.finished) }
                }, completion: completion)
        }
    }

    public func first() -> AnyPublisher<Output, Failure> { prefix(1) }

    public func first(
        where isWanted: @escaping (Output) -> Bool
    ) -> AnyPublisher<Output, Failure> {
        filter(isWanted).prefix(1)
    }

    /// All values, at the end.
    public func collect() -> AnyPublisher<[Output], Failure> {
        AnyPublisher { value, completion in
            var all: [Output] = []
            return observe({ all.append($0) }) {
                if case .finished = $0 { value(all) }
                completion($0)
            }
        }
    }

    /// Tells of values and of the end on their way.
    public func handleEvents(
        receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (() -> Void)? = nil
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { value, completion in
            let work = observe({
                receiveOutput?($0)
                value($0)
            }) {
                receiveCompletion?($0)
                completion($0)
            }
            return AnyCancellable {
                receiveCancel?()
                work.cancel()
            }
        }
    }
}

extension Publisher where Output: Equatable {
    public func removeDuplicates() -> AnyPublisher<Output, Failure> { removeDuplicates(by: ==) }
}

/// The end of several publishers together: the first failure, or the last to finish.
private final class JoinedEnd<Failure: Error> {
    var left: Int
    private let completion: (Subscribers.Completion<Failure>) -> Void

    init(of count: Int, _ completion: @escaping (Subscribers.Completion<Failure>) -> Void) {
        (left, self.completion) = (count, completion)
    }

    func one(_ end: Subscribers.Completion<Failure>) {
        left -= 1
        if case .failure = end { completion(end) } else if left == 0 { completion(end) }
    }
}

// Several publishers.
extension Publisher {
    /// Pairs of the latest values, once both have one.
    public func combineLatest<Other: Publisher>(
        _ other: Other
    ) -> AnyPublisher<(Output, Other.Output), Failure> where Other.Failure == Failure {
        AnyPublisher { value, completion in
            var (one, two): (Output?, Other.Output?) = (nil, nil)
            let end = JoinedEnd(of: 2, completion)
            func give() { if let one, let two { value((one, two)) } }
            func takeOne(_ next: Output) {
                one = next
                give()
            }
            func takeTwo(_ next: Other.Output) {
                two = next
                give()
            }
            let works = [
                observe(takeOne, completion: end.one), other.observe(takeTwo, completion: end.one),
            ]
            return AnyCancellable { works.forEach { $0.cancel() } }
        }
    }

    public func combineLatest<Other: Publisher, Made>(
        _ other: Other, _ make: @escaping (Output, Other.Output) -> Made
    ) -> AnyPublisher<Made, Failure> where Other.Failure == Failure {
        combineLatest(other).map { make($0.0, $0.1) }
    }

    /// The values of both as they come.
    public func merge<Other: Publisher>(with other: Other) -> AnyPublisher<Output, Failure>
    where Other.Output == Output, Other.Failure == Failure {
        AnyPublisher { value, completion in
            let end = JoinedEnd(of: 2, completion)
            let works = [
                observe(value, completion: end.one), other.observe(value, completion: end.one),
            ]
            return AnyCancellable { works.forEach { $0.cancel() } }
        }
    }

    /// The values of all publishers that are made of the values.
    public func flatMap<Next: Publisher>(
        _ make: @escaping (Output) -> Next
    ) -> AnyPublisher<Next.Output, Failure> where Next.Failure == Failure {
        AnyPublisher { value, completion in
            var works: [AnyCancellable] = []
            let end = JoinedEnd(of: 1, completion)
            works.append(
                observe(
                    {
                        end.left += 1
                        works.append(make($0).observe(value, completion: end.one))
                    }, completion: end.one))
            return AnyCancellable { works.forEach { $0.cancel() } }
        }
    }
}

extension Subscribers.Completion {
    /// The same end, with another failure.
    fileprivate func mapFailure<Other: Error>(
        _ change: (Failure) -> Other
    ) -> Subscribers.Completion<Other> {
        switch self {
        case .finished: .finished
        case .failure(let error): .failure(change(error))
        }
    }
}

// Failures.
extension Publisher {
    public func mapError<Other: Error>(
        _ change: @escaping (Failure) -> Other
    ) -> AnyPublisher<Output, Other> {
        AnyPublisher { value, completion in
            observe(value) { completion($0.mapFailure(change)) }
        }
    }

    /// A value in place of a failure.
    public func replaceError(with other: Output) -> AnyPublisher<Output, Never> {
        AnyPublisher { value, completion in
            observe(value) {
                if case .failure = $0 { value(other) }
                completion(.finished)
            }
        }
    }

    /// Another publisher's values in place of a failure.
    public func `catch`<Next: Publisher>(
        _ make: @escaping (Failure) -> Next
    ) -> AnyPublisher<Output, Next.Failure> where Next.Output == Output {
        AnyPublisher { value, completion in
            var later: AnyCancellable?
            let work = observe(value) {
                switch $0 {
                case .finished: completion(.finished)
                case .failure(let error):
                    later = make(error).observe(value, completion: completion)
                }
            }
            return AnyCancellable {
                work.cancel()
                later?.cancel()
            }
        }
    }

    public func tryMap<Other>(
        _ change: @escaping (Output) throws -> Other
    ) -> AnyPublisher<Other, any Error> {
        AnyPublisher { value, completion in
            observe(
                {
                    do { value(try change($0)) } catch { completion(.failure(error)) }
                },
                completion: { completion($0.mapFailure { $0 }) })
        }
    }
}

extension Publisher where Failure == Never {
    public func setFailureType<Other: Error>(to type: Other.Type) -> AnyPublisher<Output, Other> {
        AnyPublisher { value, completion in observe(value) { _ in completion(.finished) } }
    }
}
