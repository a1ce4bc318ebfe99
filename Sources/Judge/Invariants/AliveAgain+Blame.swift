import DeviceLink

extension AliveAgain {
    /// The device to blame for a session that does not range, and why; nil where none is.
    func blame(for pair: Pair, wish: Wish, in scene: Scene) -> (String, String)? {
        let (phone, accessory) = (scene.device(pair.phone), scene.device(pair.accessory))
        guard phone.canAct, accessory.canAct, !phone.isInBackground, !phone.isAppGone,
            !phone.isBluetoothOff, !accessory.isBluetoothOff, !wish.missed,
            !wish.isLimited
        else { return nil }
        if hasEndedInSilence(pair, in: scene) { return nil }
        if scene.link(of: pair.phone, to: pair.accessory) != nil {
            return (pair.phone, "the link is up, but the session did not come about")
        }
        if !accessory.isAdvertising {
            if scene.hasLink(pair.accessory) { return nil }
            return (pair.accessory, "\(pair.accessory) has no link and does not advertise")
        }
        if wish.isConnecting || phone.isScanning { return nil }
        return (
            pair.phone,
            "\(pair.accessory) advertises, but \(pair.phone) neither scans nor "
                + "connects"
        )
    }

    /// Whether the phone's radio waits for that of an accessory which never says what its own does.
    private func hasEndedInSilence(_ pair: Pair, in scene: Scene) -> Bool {
        !scene.acknowledges(pair.accessory) && scene.allRadios(of: pair.accessory).isEmpty
            && scene.allRadios(of: pair.phone).contains { $0.radio.isOn }
    }
}
