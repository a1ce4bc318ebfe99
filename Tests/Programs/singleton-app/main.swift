import AppleDevice

AppleDevice.run(SingletonApp.self, program: "singleton-app")
