import CoreBluetooth
import Foundation
import NearbyInteraction
import Testing

/// Code written for iOS imports Foundation; what it names must be ours where time is concerned, and
/// Foundation's own where bytes are.
struct ShadowingTests {
    @Test func timeIsVirtualForCodeThatImportsFoundation() throws {
        #expect(String(reflecting: Date.self) == "AppleFoundation.Date")
        #expect(String(reflecting: Timer.self) == "AppleFoundation.Timer")
        #expect(String(reflecting: DispatchQueue.self) == "AppleFoundation.DispatchQueue")
        #expect(String(reflecting: UserDefaults.self) == "AppleFoundation.UserDefaults")
        #expect(String(reflecting: NSNumber.self) == "AppleFoundation.NSNumber")
        #expect(String(reflecting: Data.self) == "FoundationEssentials.Data")
        #expect(String(reflecting: UUID.self) == "FoundationEssentials.UUID")
    }
}

/// What compiles on iOS compiles here.
private final class ListOfAccessories: NSObject, CBCentralManagerDelegate, NISessionDelegate {
    var found: [UUID: Date] = [:]

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        if RSSI.intValue > -70 { found[peripheral.identifier] = Date() }
    }

    func session(_ session: NISession, didInvalidateWith error: any Error) {
        switch error {
        case NIError.userDidNotAllow: break
        default: found = [:]
        }
    }
}
