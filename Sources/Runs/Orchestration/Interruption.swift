import UV

/// Somebody asks this program to end: by Ctrl-C (SIGINT), SIGTERM or SIGHUP.
///
/// Every command stops within a second, keeps what it has and ends with 130. Until the first run begins
/// there is nothing to keep, and the program ends where it is; from then on no run begins any more, those
/// that are under way end where they are, and this error goes up to whoever has something to keep.
package struct Interruption: Error, CustomStringConvertible {
    package let description = "interrupted"

    package init() {}

    /// Takes the signals over; to be called once, when the program starts.
    package static func listen() throws { try EndRequest.listen() }

    /// Asks by itself after so many seconds of the wall clock, which ``isTimeUp`` then says.
    package static func limit(toSeconds seconds: Double) throws {
        do throws(UVError) { try EndRequest.limit(toSeconds: seconds) } catch {
            throw HarnessError(starting: "the clock of the command", error)
        }
    }

    /// Whether it was not somebody who has asked, but the end of the time.
    package static var isTimeUp: Bool { EndRequest.isTimeUp }

    /// Whether somebody has asked; it stays so.
    package static var isHere: Bool { EndRequest.isNoted }

    /// - Throws: An interruption, where somebody has asked.
    package static func check() throws(Interruption) {
        if isHere { throw Interruption() }
    }

    /// - Throws: An interruption, where it has cut a run short; one that was given up for its length is
    ///   none.
    static func check(_ run: Run) throws(Interruption) {
        if run.outcome == .interrupted { try check() }
    }
}
