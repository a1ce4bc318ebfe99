extension World {
    /// Something happens on the air.
    mutating func perform(_ event: AirEvent) {
        switch event {
        case .advertisement(let device): advertise(once: device)
        case .connectionEvent(let slot): connectionEvent(slot)
        case .supervision(let slot): supervise(slot)
        case .update(let slot): updateConnection(slot)
        case .round(let slot): range(slot)
        }
    }
}
