public import CoreBluetooth
import DeviceKit

/// Says that the app wants to range with an accessory, from now on.
///
/// Nobody has to say it: what an app runs, and what its user starts by a step of the topology, shows it. Say it where
/// neither does, for example in an app that connects at once and ranges when somebody opens a door. Every wanted
/// session has to come about, and back after faults, until `gaveUp(_:because:)`; the promises `alive-again`,
/// `link-sought-while-wanted` and `link-kept-while-wanted` bind the app by it. The trace has it as `app.start`.
///
/// Call it in a turn of the device. Whoever says it once says it always: of that app deeds alone show nothing more.
public func wants(_ accessory: CBPeripheral) {
    Context.current.observe(.appStart, fields: [accessory.told])
}

/// Says that the app does not try any more to range with an accessory, until it does something for it again.
///
/// An app that gives up without a word breaks `alive-again`, because nobody can tell it from one that hangs. No word
/// is needed after an error that no retry cures, or where the app ends the link. The trace has it as `app.gaveUp`.
///
/// - Parameters:
///   - accessory: The accessory.
///   - reason: Why, for people; of a long one the first 255 characters are kept.
public func gaveUp(_ accessory: CBPeripheral, because reason: String = "attempts") {
    Context.current.observe(
        .appGaveUp, fields: [accessory.told, Field("reason", .text(String(reason.prefix(255))))])
}

extension CBPeripheral {
    /// The accessory as a device tells of it: by its address.
    fileprivate var told: Field { Field("peripheral", .text(address.description)) }
}
