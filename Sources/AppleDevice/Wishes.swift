public import CoreBluetooth
internal import DeviceKit

/// Says that the app wants to range with an accessory from now on (`app.start`), which nobody else can see.
///
/// The steps `start` and `stop` of a topology, and what CoreBluetooth is asked for, are seen without a word. Promises
/// about what an app does for an accessory that it wants bind it from here until ``gaveUp(_:because:)``, a step
/// `stop`, or the end of the app.
///
/// Only in a turn. Around it, code that also builds for iOS has `#if canImport(AppleDevice)`.
public func wants(_ accessory: CBPeripheral) { note(.appStart, of: accessory) }

/// Says that the app tries no more to range with an accessory, and has told its user (`app.gaveUp`).
///
/// Without it an app that stops trying is blamed, because it looks like one that has forgotten to.
///
/// - Parameters:
///   - accessory: What it does not try any more.
///   - reason: Why, for people; of a long one the first 255 characters are kept.
public func gaveUp(_ accessory: CBPeripheral, because reason: String) {
    note(.appGaveUp, of: accessory, with: Field("reason", .text(String(reason.prefix(255)))))
}

private func note(_ kind: EventKind, of accessory: CBPeripheral, with fields: Field...) {
    Context.current.observe(
        kind, fields: [Field("peripheral", .text(accessory.address.description))] + fields)
}
