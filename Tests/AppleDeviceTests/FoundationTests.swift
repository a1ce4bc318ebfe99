import AppleFoundation
import DeviceKit
import Testing

struct FoundationTests {
}
