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
            note(
                .linkUp, handle, of: device,
                [
                    Field("role", .text(isCentral ? "central" : "peripheral"))
                ], parameters)
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
            note(
                .linkUpdated, handle, of: device,
                [
                    Field("status", .number(Int64(status)))
                ], parameters)
        case .acl(let handle, let frame):
            guard let known = bluetooth.handle(handle, of: device) else { return }
            observe(frame, known, of: device, .received, isSpoilt: false)
        case .connectionComplete, .advertisingReport, .completedPackets, .longTermKeyRequest:
            break
        }
    }

    private mutating func note(
        _ kind: EventKind, _ handle: UInt16, of device: Int, _ fields: [Field],
        _ parameters: ConnectionParameters? = nil
    ) {
        guard let known = bluetooth.handle(handle, of: device) else { return }
        var all = [
            Field("link", .number(Int64(known.link))),
            Field("peer", .text(devices[known.peer].name)),
        ]
        all += fields
        if let parameters { all += parameters.fields }
        emit(kind, on: device, fields: all)
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

extension ConnectionParameters {
    /// As the trace has them.
    fileprivate var fields: [Field] {
        [
            Field("interval", .number(Int64(interval) * 1_250_000)),
            Field("latency", .number(Int64(latency))),
            Field("timeout", .number(Int64(timeout) * 10_000_000)),
        ]
    }
}
