import AppleDevice

AppleDevice.run(ReferenceApp.self, program: "apple-device")
