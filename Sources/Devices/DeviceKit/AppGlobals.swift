import CDevice

/// The global and static variables of the app that is linked into this program.
package enum AppGlobals {
    /// Notes what they are, before the app runs for the first time.
    package static func note() { cdevice_note_globals() }

    /// Makes them that again: an app that the system launches once more, or in another run, has a new process, and its
    /// singletons with it.
    ///
    /// Their values are not released, for a variable does not say what it holds.
    package static func renew() { cdevice_renew_globals() }
}
