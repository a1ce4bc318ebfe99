import DeviceKit

DeviceKit.run(EchoDevice.self, program: "echo-device")
