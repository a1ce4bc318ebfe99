import Bluetooth
import BluetoothHost

extension GATTServer {
    /// Adds what every Apple device serves: the generic services, and its own by which another one knows it.
    func addSystemServices(named name: String) {
        addGenericServices(name: name)
        addService(.continuity)
        addCharacteristic(
            "8667556C-9A37-4C91-84ED-54EE27D90049", properties: [.write, .notify],
            write: .authenticated, subscribe: .authenticated)
    }
}

extension BluetoothUUID {
    /// Apple's Continuity Service, which apps see on a peer.
    static let continuity: BluetoothUUID = "D0611E78-BBB4-4591-A5F8-487910AE4366"
}
