public import DeviceLink

/// The kinds of events a trace can hold.
///
/// `TRACE.md` beside this file gives the fields of each.
/// What the orchestrator sees needs no help of a device; kinds under `ni`, `app`, `system` and
/// `accessory` are observations that a device offers.
public enum TraceKind {
    /// Kinds that the orchestrator makes, in the order of the documentation.
    public static let orchestrated = [
        "run.started", "run.ended", "script.step", "script.ended", "faults.stopped",
        "device.started", "device.died", "device.frozen", "device.thawed", "device.stale",
        "device.turn",
        "fault.disconnect", "fault.loss", "fault.uwb-loss", "fault.delay", "fault.throttle",
        "fault.hold",
        "fault.release", "fault.partition", "fault.repair", "fault.move", "fault.obstruct",
        "fault.kill", "fault.restart", "fault.freeze", "fault.thaw", "fault.corrupt",
        "fault.refuse-uwb", "fault.busy", "fault.command",
        "air.advertising", "air.scanning", "air.connecting", "air.connected", "air.disconnected",
        "link.up", "link.down", "link.encrypted", "link.updated",
        "att.sent", "att.received",
        "gatt.service", "gatt.characteristic", "gatt.discovered", "gatt.descriptor",
        "gatt.description", "gatt.subscribed", "gatt.configuration", "gatt.refused",
        "msg.initialize.sent", "msg.initialize.received",
        "msg.configureAndStart.sent", "msg.configureAndStart.received",
        "msg.stop.sent", "msg.stop.received",
        "msg.getReserved.sent", "msg.getReserved.received",
        "msg.setReserved.sent", "msg.setReserved.received",
        "msg.accessoryConfigurationData.sent", "msg.accessoryConfigurationData.received",
        "msg.accessoryUwbDidStart.sent", "msg.accessoryUwbDidStart.received",
        "msg.accessoryUwbDidStop.sent", "msg.accessoryUwbDidStop.received",
        "msg.iOSNotify.sent", "msg.iOSNotify.received",
        "msg.malformed.sent", "msg.malformed.received",
        "uwb.starting", "uwb.started", "uwb.refused", "uwb.stopped", "uwb.round",
    ]

    /// Kinds that devices observe in themselves.
    public static let observed = [
        "ni.created", "ni.run", "ni.pause", "ni.invalidate", "ni.didStartRunning",
        "ni.didGenerateShareableConfigurationData", "ni.didUpdate", "ni.didRemove",
        "ni.sessionWasSuspended", "ni.sessionSuspensionEnded", "ni.didInvalidate",
        "app.launched", "app.terminated", "app.foreground", "app.background", "app.found",
        "app.lost", "app.start", "app.stop", "app.attempt", "app.gaveUp", "app.connected",
        "app.disconnected", "app.service", "app.subscribed", "app.received", "app.notification",
        "system.permission", "system.prompt", "system.bluetooth",
        "accessory.configured", "accessory.rejected", "accessory.start", "accessory.stop",
        "accessory.error",
    ]

    /// What a device may observe: kinds of its own and those of ``observed``.
    ///
    /// No kind of a family that has one of the orchestrator's is among them: what the orchestrator sees is
    /// evidence, and no device makes it.
    public static let fence = ObservationFence(families: fencedFamilies)

    /// The families of the orchestrator's kinds: what stands before the first full stop.
    public static let fencedFamilies: [String] = orchestrated.reduce(into: []) { families, kind in
        let family = String(kind.prefix { $0 != "." })
        if !families.contains(family) { families.append(family) }
    }

    /// All kinds.
    public static let all = orchestrated + observed
}
