/// A virtual chip, between a host that speaks to it in packets and the air, which speaks DeviceLink.
///
/// It is a value: packets of the host and events of the air go in, packets for the host, requests for the air and
/// remarks for the log come out.
package protocol VirtualChip {
    associatedtype Packet
    associatedtype Request

    var output: ChipOutput<Packet, Request> { get set }
}

/// What a chip has for others, in order.
package struct ChipOutput<Packet, Request> {
    /// For the host.
    var packets: [Packet] = []
    /// For the air.
    var requests: [Request] = []
    /// What a person should know, a sentence each.
    var remarks: [String] = []
    /// What was said already, which need not be said again; looked up only.
    var remarked: Set<String> = []
}

extension VirtualChip {
    package mutating func takePackets() -> [Packet] { take(\.packets) }
    package mutating func takeRequests() -> [Request] { take(\.requests) }
    package mutating func takeRemarks() -> [String] { take(\.remarks) }

    /// Gives what there is; there is nothing then.
    private mutating func take<Item>(
        _ part: WritableKeyPath<ChipOutput<Packet, Request>, [Item]>
    ) -> [Item] {
        defer { output[keyPath: part] = [] }
        return output[keyPath: part]
    }

    mutating func request(_ request: Request) { output.requests.append(request) }

    /// Says something for the log, once.
    mutating func remark(_ sentence: String) {
        if output.remarked.insert(sentence).inserted { output.remarks.append(sentence) }
    }
}
