import Basics
import DeviceLink
import Scenarios
import Testing

struct TimedFaultTests {
    /// What is written is the same moment, to the nanosecond, when it is read.
    @Test(
        arguments: [
            (0, "0s"), (1, "1ns"), (20_000_000, "20ms"), (3_000_000_000, "3s"),
            (1_581_249_999, "1.581249999s"), (61_500_000_000, "61.5s"),
        ] as [(Nanoseconds, String)])
    func aMomentIsWrittenExactly(time: Nanoseconds, text: String) throws {
        #expect(TimedFault.text(time) == text)
        #expect(try Quantity.duration.value(of: text) == Int64(time))
    }
}
