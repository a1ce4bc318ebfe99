import Testing

@testable import AccessoryFirmware

/// A device has sixteen buffers of a controller, and its Security Manager takes some of them unasked.
@Suite struct SharedBuffersTests {
    @Test func aFrameThatFindsTheOthersInItsPlaceWaits() {
        var buffers = SharedBuffers()
        let mine = (UInt8(0)..<3).map { buffers.take([$0], ofDevice: false) }
        let theirs = (UInt8(3)..<19).map { buffers.take([$0], ofDevice: true) }
        let late = buffers.take([19], ofDevice: false)
        #expect(
            mine + theirs + [late] == Array(repeating: true, count: 16)
                + Array(repeating: false, count: 4))
        // Eight have left: three were the manager's.
        let left = buffers.complete(8)
        #expect(left == 5)
        let released = buffers.release()
        #expect(released == [[16], [17], [18], [19]])
        let rest = [buffers.complete(8), buffers.complete(8)]
        #expect(rest == [8, 3])
    }

    @Test func aDeviceThatSendsTooMuchIsNotProtected() {
        var buffers = SharedBuffers()
        for number in UInt8(0)..<16 { _ = buffers.take([number], ofDevice: true) }
        let taken = [buffers.take([16], ofDevice: false), buffers.take([17], ofDevice: true)]
        #expect(taken == [false, true])
    }
}
