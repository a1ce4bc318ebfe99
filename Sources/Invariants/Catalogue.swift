/// The promises of the life cycle.
package enum Catalogue {
    /// A monitor of each promise, with the standard bounds, in the order of reports.
    package static func monitors() -> [any Promise] {
        [
            SessionAutomaton(), OneOutcomePerRun(), NothingAfterInvalidation(),
            FreshConfiguration(), MessageOrder(), SubscribedFirst(), RequestAnswered(), Quiet(),
            RoutedRight(), BoundedRetries(), AliveAgain(),
        ]
    }

    /// What each promise says, in the order of reports.
    package static let descriptions: [PromiseDescription] = monitors().map { type(of: $0).about }

    /// The names of all promises, in the order of reports.
    package static let ids: [String] = descriptions.map(\.id)
}
