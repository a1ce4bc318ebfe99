/// The UWB middleware as the embedded application sees it, one for each session, in the shape of the
/// vendors' interfaces (R4 3.4.4 and 3.5.3: "a dedicated interface").
package protocol Middleware: AnyObject {
    /// UWB configuration data for a new session: another one every time.
    func populateConfigData() -> [UInt8]

    /// Takes the shareable data as it came and starts ranging at once. Whether the radio really ranges
    /// is known later (`MiddlewareEvent`).
    ///
    /// - Throws: `MiddlewareError` where nothing was started.
    func configureAndStart(_ payload: [UInt8]) throws(MiddlewareError)

    /// Stops ranging. Nothing happens where nothing ranges.
    ///
    /// - Returns: Whether something was stopped.
    @discardableResult func stop() -> Bool

    /// Stops ranging and forgets the session; to be called before a new one is populated.
    func reinit()

    /// Forgets the session without stopping it: what a firmware does that only resets its books.
    func abandon()
}

/// Why the middleware did not start.
package enum MiddlewareError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The shareable data is not what it should be: a wrong length or value, in one sentence.
    case invalid(String)
    /// The shareable data has another version than the configuration data that it answers.
    case version
    /// No configuration data was populated for it.
    case notPopulated
    /// The radio refused at once.
    case refused

    package var description: String {
        switch self {
        case .invalid(let sentence): sentence
        case .version: "the shareable data has another version than the configuration data"
        case .notPopulated: "no configuration data was populated"
        case .refused: "the radio refused at once"
        }
    }
}

/// What the middleware reports by itself.
package enum MiddlewareEvent: Equatable, Sendable {
    /// The radio is on.
    case started
    /// The start has failed after all.
    case startFailed(String)
    /// A ranging round: the distance in millimetres, or nil for a miss.
    case round(UInt32?)
    /// All rounds have been misses for so long that nobody seems to be there any more.
    case timedOut
}
