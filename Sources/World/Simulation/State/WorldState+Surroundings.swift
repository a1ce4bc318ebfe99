import Airs

// What stands together because an air may see it, by its parts.
extension WorldState {
    /// The moment, in nanoseconds of virtual time.
    var now: UInt64 {
        get { surroundings.now }
        set { surroundings.now = newValue }
    }

    var devices: [DeviceState] {
        _read { yield surroundings.devices }
        _modify { yield &surroundings.devices }
    }

    /// What every way from one device to another is like.
    var ways: Ways {
        _read { yield surroundings.ways }
        _modify { yield &surroundings.ways }
    }
}
