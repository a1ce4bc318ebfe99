public import DeviceKit
public final class SimulatedAppleDevice: Device {
    public init(_ reset: Reset, in context: Context) throws(Refusal) {}
    public func handle(_ event: DeviceEvent) {}
}
