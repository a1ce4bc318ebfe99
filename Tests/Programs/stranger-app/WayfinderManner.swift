/// What an app may do otherwise; the program's argument names it, and `Tests/Strangers/allowed/designs.json` says why it may.
enum WayfinderManner: String, CaseIterable {
    /// It shows pages of its own for three seconds, or until the user starts, before it asks for Bluetooth.
    case onboards
    /// Each attempt has an NISession of its own.
    case newSession = "new-session"
    /// One NISession is kept over the end of a link, and runs again with the next configuration.
    case sameSession = "same-session"
    /// An attempt that has failed is the user's to repeat.
    case asksTheUser = "asks-the-user"
    /// It ranges with one accessory at a time, for five seconds each.
    case inTurn = "in-turn"
    /// It writes without response.
    case commands

    /// The one that the program was started with.
    static var chosen: WayfinderManner? {
        CommandLine.arguments.dropFirst().first.flatMap(WayfinderManner.init)
    }
}
