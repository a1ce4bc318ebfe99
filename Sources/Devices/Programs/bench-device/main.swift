import BenchDevices
import DeviceKit

DeviceKit.run(BenchDevice.self, program: "bench-device")
