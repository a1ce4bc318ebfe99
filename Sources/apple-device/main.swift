import AppleDevice
import DeviceKit

DeviceKit.run(SimulatedAppleDevice.self, program: "apple-device")
