import AppleDevice

AppleDevice.run(PhonesApp.self, program: "phones")
