import Airs
import Basics
import DeviceLink
import Observer

/// What the trace shows of what links carry.
extension WorldState {
    /// What the trace shows of a controller's event when its host gets it.
    mutating func noteDelivery(of event: BluetoothEvent, to device: Int) {
        switch event {
        case .connectionComplete(0, let handle, let isCentral, _, let parameters):
            let role = Field("role", .text(isCentral ? "central" : "peripheral"))
            note(.linkUp, handle, of: device, [role] + parameters.fields)
        case .disconnectionComplete(let handle, let reason):
            note(.linkDown, handle, of: device, [Field("reason", .number(Int64(reason)))])
            bluetooth.forgetHandle(handle, of: device)
        case .encryptionChange(let status, let handle, let isEncrypted):
            note(.linkEncrypted, handle, of: device, [Field("status", .number(Int64(status)))])
            guard status == 0, let known = bluetooth.handle(handle, of: device) else {
                return
            }
            observer.encryptionChanged(
                link: known.link, at: devices[device].name, to: isEncrypted)
        case .connectionUpdateComplete(let status, let handle, let parameters):
            let fields = [Field("status", .number(Int64(status)))] + parameters.fields
            note(.linkUpdated, handle, of: device, fields)
        case .acl(let handle, let frame):
            guard let known = bluetooth.handle(handle, of: device) else { return }
            observe(frame, known, of: device, .received, isSpoilt: false)
        case .connectionComplete, .advertisingReport, .completedPackets, .longTermKeyRequest:
            break
        }
    }

    private mutating func note(
        _ kind: EventKind, _ handle: UInt16, of device: Int, _ fields: [Field]
    ) {
        guard let known = bluetooth.handle(handle, of: device) else { return }
        emit(
            kind, on: device,
            fields: surroundings.fields(ofLink: known.link, to: known.peer) + fields)
    }

    mutating func observe(
        _ frame: [UInt8], _ handle: Controller.Handle, of device: Int, _ phase: AirObserver.Phase,
        isSpoilt: Bool
    ) {
        observer.frame(
            frame, link: handle.link, at: devices[device].name, phase: phase, isSpoilt: isSpoilt,
            into: &seen)
        emitSeen(on: device)
    }

    /// Adds what the observer has just seen of a device to the trace.
    mutating func emitSeen(on device: Int) {
        for index in seen.indices { emit(seen[index].kind, on: device, fields: seen[index].fields) }
        seen.removeFew()
    }
}
