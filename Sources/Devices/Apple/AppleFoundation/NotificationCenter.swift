public import Foundation

/// Foundation's notification centre, of which each launch of an app has one of its own: whoever asked that of an
/// app that has ended is told nothing more.
public final class NotificationCenter: Foundation.NotificationCenter, @unchecked Sendable {
    /// That of code that is no app's.
    private static let ofNobody = NotificationCenter()

    override public class var `default`: NotificationCenter {
        AppRuntime.ofTurn?.notifications ?? ofNobody
    }
}
