/// The verbs of a script, in the order of the documentation; ``VerbForm`` has a row for each.
package enum VerbName: String, CaseIterable, Codable, Sendable {
    case disconnect, loss
    case uwbLoss = "uwb-loss"
    case delay, throttle, hold, release, partition, repair, move, turn, rotate, light, obstruct,
        clear
    case refuseUWB = "refuse-uwb"

    case kill, restart, freeze, thaw, busy

    case garble, truncate, extend, corrupt

    case background, foreground, lock, unlock, suspend, resume, allow, deny
    case bluetoothOff = "bluetooth-off"
    case bluetoothOn = "bluetooth-on"
    case bluetoothReset = "bluetooth-reset"
    case terminate, jetsam, launch
    case deleteApp = "delete-app"
    case start, stop, invalidate
    case peerEnded = "peer-ended"
    case forgetBond = "forget-bond"
    case changeAddress = "change-address"
    case exhaust, replenish
    case findMy = "find-my"
    case leaveFindMy = "leave-find-my"
    case blockMain = "block-main"
    case unblockMain = "unblock-main"
    case command
}
