import Anechoic
import Testing

/// A topology that ships, under twenty seeds.
@Test(arguments: 1...20 as ClosedRange<UInt64>)
func aDroppedLinkComesBack(seed: UInt64) throws {
    let run = try Chamber.run("dropout/mid-handshake", seed: seed)
    #expect(run.holds)
}

/// A topology of this package, with a device of this package.
@Test func theBeaconBlinksOnceASecond() throws {
    let run = try Chamber.run("door/beacon")
    #expect(run.holds)
    #expect(try run.events.count { $0.kind == "beacon.blinked" } == 4)
}
