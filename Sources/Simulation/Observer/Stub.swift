internal import DeviceLink
struct AirObserver: Sendable {
    enum Phase { case sent, received }
    struct ObservedEvent { var kind: String; var fields: [Field] }
    mutating func linkUp(link: Int, central: String, peripheral: String, peripheralIncarnation: UInt32, isBonded: Bool) {}
    mutating func linkDown(link: Int) {}
    mutating func frame(_ f: [UInt8], link: Int, at: String, phase: Phase, isSpoilt: Bool, into: inout [ObservedEvent]) {}
    func message(in f: [UInt8], link: Int, from: String) -> (name: String, range: Range<Int>)? { nil }
}
