import CoreBluetooth
import Foundation
import NearbyInteraction
import Testing

/// Code written for iOS imports Foundation; what it names must be ours where something waits or is kept, and
/// Foundation's own otherwise.
struct ShadowingTests {
    @Test func whatWaitsIsOursForCodeThatImportsFoundation() throws {
        #expect(String(reflecting: Timer.self) == "AppleFoundation.Timer")
        #expect(String(reflecting: DispatchQueue.self) == "AppleFoundation.DispatchQueue")
        #expect(String(reflecting: RunLoop.self) == "AppleFoundation.RunLoop")
        #expect(String(reflecting: UserDefaults.self) == "AppleFoundation.UserDefaults")
        #expect(String(reflecting: Date.self) == "FoundationEssentials.Date")
        #expect(String(reflecting: NSNumber.self) == "Foundation.NSNumber")
        #expect(String(reflecting: Data.self) == "FoundationEssentials.Data")
        #expect(String(reflecting: UUID.self) == "FoundationEssentials.UUID")
    }
}

/// What compiles on iOS compiles here.
private final class ListOfAccessories: NSObject, CBCentralManagerDelegate, NISessionDelegate {
    var found: [UUID: Date] = [:]
    private var sessions: [NISession: CBPeripheral] = [:]

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) {}
        guard CBManager.authorization == .allowedAlways else { return }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        if RSSI.intValue > -70 { found[peripheral.identifier] = Date() + 3.0 }
    }

    func session(_ session: NISession, didInvalidateWith error: any Error) {
        switch error {
        case NIError.userDidNotAllow: break
        default: found = [:]
        }
        sessions[session] = nil
    }
}

/// What other code makes of the framework's values.
struct BridgingTests {
    @Test func errorsHaveTheirCodeAndDomainAsNSErrors() {
        let error: any Error = NIError(.invalidConfiguration)
        #expect((error as NSError).code == -5888)
        #expect((error as NSError).domain == "com.apple.NearbyInteraction")
        #expect(
            error.localizedDescription
                == "The operation could not be completed. (com.apple.NearbyInteraction error -5888.)"
        )
        #expect((CBError(.connectionTimeout) as any Error as NSError).code == 6)
    }
}
