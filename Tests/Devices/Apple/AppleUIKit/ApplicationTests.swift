import AppleFoundation
import AppleUIKit
import DeviceChamber
import Testing

/// What session code asks of UIKit, without a screen.
struct ApplicationTests {
    @Test func theAppKnowsWhetherItIsSeen() throws {
        let bench = try AppBench()
        var told: [String] = []
        bench.app {
            told.append("\(UIApplication.shared.applicationState)")
            AppRuntime.current.setForeground(false)
            told.append("\(UIApplication.shared.applicationState)")
            AppRuntime.current.setForeground(true)
        }
        #expect(told == ["active", "background"])
    }

    @Test func aDeviceHasTheNameThatItIsGiven() throws {
        let bench = try AppBench()
        var names = [UIDevice.current.name]
        bench.app {
            names.append(UIDevice.current.name)
            AppRuntime.current.deviceName = "Ben's phone"
            names.append(UIDevice.current.name)
        }
        #expect(names == ["iPhone", "iPhone", "Ben's phone"])
    }

    @Test func aDeviceIsTheSameInEveryRun() throws {
        var identifiers: [String?] = []
        for _ in 0..<2 {
            let bench = try AppBench()
            bench.app { identifiers.append(UIDevice.current.identifierForVendor?.uuidString) }
        }
        #expect(identifiers[0] != nil && identifiers[0] == identifiers[1])
    }
}
