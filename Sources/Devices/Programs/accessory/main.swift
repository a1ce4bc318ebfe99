import AccessoryFirmware
import DeviceKit

DeviceKit.run(Accessory.self, program: "accessory")
