/// The profiles of the reference accessory: what kind of firmware it has.
///
/// Two are the reference. The others do what a vendor's public firmware does, and leave everything else at its
/// default. Where that firmware departs from the protocol or from Apple's rules, the profile has a defect switched
/// on: a *declared deviation*.
package enum AccessoryProfile: String, CaseIterable, Sendable {
    case qorvo
    case multi
    /// Qorvo's firmware of iOS 15: the Nordic UART, and no Nearby Interaction Service, which its developer's guide has
    /// "only implemented in QNI 3.0.0" (section 2). Its link is taken to be that of `qni300`.
    case qni205 = "qni-2.0.5"
    /// Qorvo's firmware of iOS 16, as in FindMyCat/embedded-software (`ble.c`, `ble_niq.c`, `ble_qnis.c`) and
    /// Zekke-e/Smartlight_UWB: bonding without LE Secure Connections, MTU 100, one link, advertising at 200 ms and
    /// then 1 s, `accessoryUwbDidStart` before the radio is on.
    case qni300 = "qni-3.0.0"
    /// NXP's demo of the SR250, nxp-uwb/sr250-uwbiot-zephyr (`demo_nearby_interaction`): the Nordic UART, five links,
    /// MTU 247, no pairing by default; a message is an id and its data in a buffer of 50 zeroed bytes, and no length
    /// is looked at.
    case nxp
    /// A beacon as an app for Estimote's finds it, gunnarbeutner/OpenUWB (`BluetoothLECentral.swift`): it advertises
    /// FE9A and talks by the Nordic UART. What its firmware is like inside is not public.
    case estimoteLike = "estimote-like"

    package var explanation: String {
        switch self {
        case .qorvo: "One phone at a time, one session, ATT MTU 100."
        case .multi: "Up to five phones at a time, a session each, ATT MTU 247."
        case .qni205: "Qorvo's QNI 2.0.5: the Nordic UART, and no Nearby Interaction Service."
        case .qni300:
            "Qorvo's QNI 3.0.0: its own service, legacy pairing, accessoryUwbDidStart before the radio is on."
        case .nxp:
            "NXP's demo: the Nordic UART, five phones, messages whose length nobody looks at."
        case .estimoteLike: "A beacon that advertises Estimote's FE9A and talks by the Nordic UART."
        }
    }

    /// Whether it is a vendor's, with what that firmware does wrong, and not the reference.
    package var isVendors: Bool { self != .qorvo && self != .multi }

    /// The parameters that are others than their rows say, as they are handed over.
    package var changes: [(parameter: AccessoryParameter, value: String)] {
        switch self {
        case .qorvo: []
        case .multi: [(.links, "5"), (.mtu, "247")]
        case .qni205: [(.service, "nus"), (.nearbyInteraction, "absent")] + Self.qorvoFirmware
        case .qni300: [(.pairing, "legacy")] + Self.qorvoFirmware
        case .nxp:
            [(.service, "nus"), (.links, "5"), (.mtu, "247"), (.messageLength, "ignored")]
        case .estimoteLike: [(.service, "nus"), (.advertised, "estimote")]
        }
    }

    private static let qorvoFirmware: [(parameter: AccessoryParameter, value: String)] = [
        (.acknowledge, "accepted"), (.fastInterval, "200000000"), (.slowInterval, "1000000000"),
    ]

    /// The defects that its firmware has.
    package var deviations: [AccessoryDefect] {
        switch self {
        case .qorvo, .multi, .estimoteLike: []
        case .qni205, .qni300: [.badSupervision, .silentRejection, .didStartWithoutRadio]
        case .nxp:
            [
                .lostRequest, .silentRejection, .rangesAfterDisconnect, .replayedStart,
                .configurationErasedAfterStart, .oneSingleDeclared,
            ]
        }
    }

    /// The value that a parameter has by default; nil where it is what its row says.
    func change(of parameter: AccessoryParameter) -> String? {
        changes.first { $0.parameter == parameter }?.value
    }
}
