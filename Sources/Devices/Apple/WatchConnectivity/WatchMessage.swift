/// What goes between a phone and its watch.
///
/// Apple publishes nothing of it; this is ours, and both ends of it are here.
struct WatchMessage {
    enum Kind: UInt8 {
        case message = 0
        /// A message that wants an answer.
        case question = 1
        case answer = 2
        case context = 3
        case userInfo = 4
    }

    enum Body {
        case data(Data)
        /// A property list.
        case pairs([String: Any])
    }

    let kind: Kind
    /// Which question, also in its answer.
    let number: UInt32
    let body: Body

    init(_ kind: Kind, number: UInt32 = 0, _ body: Body) {
        (self.kind, self.number, self.body) = (kind, number, body)
    }

    /// What a counterpart has sent; nil for anything else.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 6, let kind = Kind(rawValue: bytes[0]) else { return nil }
        self.kind = kind
        number = bytes[2..<6].reduce(0) { $0 << 8 | UInt32($1) }
        let rest = Data(bytes[6...])
        guard bytes[1] == 1 else {
            body = .data(rest)
            return
        }
        let classes: [AnyClass] = [
            NSDictionary.self, NSArray.self, NSString.self, NSData.self, NSNumber.self,
        ]
        let object = try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: rest)
        guard let pairs = object as? [String: Any] else { return nil }
        body = .pairs(pairs)
    }

    /// As it is sent; nil where it has something that is no property list.
    var bytes: [UInt8]? {
        let number = stride(from: 24, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self.number >> UInt32($0))
        }
        switch body {
        case .data(let data): return [kind.rawValue, 0] + number + Array(data)
        case .pairs(let pairs):
            let data = try? NSKeyedArchiver.archivedData(
                withRootObject: pairs, requiringSecureCoding: true)
            return data.map { [kind.rawValue, 1] + number + Array($0) }
        }
    }
}
