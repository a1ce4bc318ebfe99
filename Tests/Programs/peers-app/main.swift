import AppleDevice

AppleDevice.run(PeersApp.self, program: "peers")
