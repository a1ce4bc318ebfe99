import Captures
import FuzzBytes

/// A capture of a stranger: it is a trace whose numbers and times only rise, or one error that says where.
func playForeignCapture(_ bytes: UnsafeRawBufferPointer) {
    do throws(CaptureError) {
        var trace = try CaptureTrace(Array(bytes), named: "input")
        var (number, time): (UInt64, UInt64) = (0, 0)
        while let events = try trace.next() {
            for event in events {
                demand(event.number == number, "a gap before event \(event.number)")
                demand(event.time.nanoseconds >= time, "time runs backwards")
                (number, time) = (number + 1, event.time.nanoseconds)
            }
        }
        _ = trace.gaps.sentences
    } catch {
        demand(!error.expected.isEmpty, "an error without a word")
        demand(error.offset <= bytes.count, "an error behind the end")
    }
}
