import AccessoryFirmware
import AppleDevice
import CoreBluetooth
import DeviceChamber
import DeviceKit
import Testing

/// What only an app of a user's can know.
struct WishTests {
    /// Wants whatever it finds, and soon does not.
    private final class MoodyApp: NSObject, SimulatedApp, CBCentralManagerDelegate {
        private var central: CBCentralManager?

        init(_ launch: AppLaunch) {
            super.init()
            central = CBCentralManager(delegate: self, queue: nil)
        }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            central.scanForPeripherals(withServices: nil)
        }

        func centralManager(
            _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
            advertisementData: [String: Any], rssi: NSNumber
        ) {
            central.stopScan()
            AppleDevice.wants(peripheral)
            AppleDevice.gaveUp(peripheral, because: String(repeating: "x", count: 300))
        }
    }

    @Test func anAppSaysWhatItWantsAndWhatItHasGivenUp() throws {
        let chamber = Chamber()
        let phone = try chamber.add(
            AppleDeviceRunning<MoodyApp>.self,
            Reset(name: "ben", model: "iPhone12,1", key: 1, address: Address(0xA0)))
        _ = try chamber.add(
            Accessory.self, Reset(name: "lock", model: "qorvo", key: 2, address: Address(0xB0)))
        chamber.run(for: .seconds(2))
        let said = chamber.observations.filter { $0.device == phone }
        #expect(said.map(\.kind) == ["app.launched", "app.start", "app.gaveUp"])
        #expect(chamber.values(of: "peripheral", in: "app.start") == [.text("00:00:00:00:00:B0")])
        #expect(
            chamber.values(of: "reason", in: "app.gaveUp")
                == [.text(String(repeating: "x", count: 255))])
    }
}
