/// What a reference device can be told; the raw value is what the contract carries.
package enum CommandName: String {
    // Of an Apple device.
    case launch, terminate, jetsam, background, foreground, lock, unlock, suspend, resume, start
    case permission, exhaust, invalidate
    case deleteApp = "delete-app"
    case findMy = "find-my"
    case mainThread = "main-thread"
    // Of an accessory.
    case changeAddress = "change-address"
    // Of both.
    case bluetooth, stop
    case forgetBond = "forget-bond"
    /// The core's own: a radio has heard that its peer ended the session.
    case uwbEnded = "uwb-ended"
}
