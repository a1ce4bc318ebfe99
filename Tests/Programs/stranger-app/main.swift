import AppleDevice

AppleDevice.run(WayfinderApp.self, program: "wayfinder")
