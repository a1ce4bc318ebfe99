import AccessoryProtocol
import Bluetooth
import DeviceLink

// Values that a client reads, and what it is refused.
extension AttributeMaps {
    /// The next part of a value that is being read.
    func readMore(
        _ handle: UInt16, at offset: Int, value: [UInt8], on link: inout ObservedLink
    ) -> [ObservedPDU.Meaning] {
        guard link.reading?.handle == handle, link.reading?.bytes.count == offset else {
            link.reading = nil
            return leaked(value, of: [handle], on: &link)
        }
        link.reading?.bytes += value
        return readOn(by: value.count, on: &link)
    }

    /// A value, or a part of some, that came by another request than a read of the whole: on a link that is not
    /// encrypted nobody may have even that (R4 4.3).
    func leaked(
        _ value: [UInt8], of handles: [UInt16], on link: inout ObservedLink
    ) -> [ObservedPDU.Meaning] {
        guard !link.isEncrypted, !value.isEmpty else { return [] }
        return handles.flatMap { shown(value, of: $0, isTorn: true, on: &link) }
    }

    /// A response shorter than the MTU allows is the last part of a value (Core Spec Vol 3 Part F
    /// 3.4.4.5); so is one that completes the value by its own account.
    func readOn(by count: Int, on link: inout ObservedLink) -> [ObservedPDU.Meaning] {
        guard let reading = link.reading else { return [] }
        guard count < Int(link.mtu) - 1 || isComplete(reading, on: link) else { return [] }
        return wholeValue(&link)
    }

    private func isComplete(_ reading: ObservedLink.Partial, on link: ObservedLink) -> Bool {
        guard case .configuration(let kind)? = role(of: reading.handle, on: link) else {
            return false
        }
        return Configuration(reading.bytes, kind).isWhole
    }

    private func wholeValue(_ link: inout ObservedLink) -> [ObservedPDU.Meaning] {
        guard let reading = link.reading else { return [] }
        link.reading = nil
        return shown(
            reading.bytes, of: reading.handle,
            isTorn: reading.announcements != self[link.map].announcements, on: &link)
    }

    /// What the trace shows of a whole value; torn is one whose parts may be of two values.
    func shown(
        _ value: [UInt8], of handle: UInt16, isTorn: Bool = false, on link: inout ObservedLink
    ) -> [ObservedPDU.Meaning] {
        switch role(of: handle, on: link) {
        case .configuration(let kind)?:
            let configuration = Configuration(value, kind)
            var fields = configuration.fields(at: handle, on: link)
            if isTorn { fields.append(Field("torn", true)) }
            let shown = ObservedPDU.Meaning.told(.gattConfiguration, fields)
            // A Multiple value that is not what its format says holds nothing that could be compared.
            guard !isTorn, kind == "single" || configuration.isWhole,
                let isOwn = configuration.isOwn(link)
            else { return [shown] }
            return [shown] + compared(handle, of: kind, isOwn: isOwn, on: &link)
        case .userDescription?:
            let text = Field("text", .text(String(decoding: value, as: UTF8.self)))
            return [.told(.gattDescription, description(of: handle, on: link) + [text])]
        case .receive, .transmit, .clientConfiguration, .other, nil: return []
        }
    }

    /// A phone has read a value of a kind; when it has read them all, it has found what it looks for, or it
    /// is not there (R4 4.3.2, 4.3.3).
    private func compared(
        _ handle: UInt16, of kind: String, isOwn: Bool, on link: inout ObservedLink
    ) -> [ObservedPDU.Meaning] {
        var comparison = link.comparisons[kind] ?? ObservedLink.Comparison()
        if !comparison.handles.contains(handle) { comparison.handles.append(handle) }
        if isOwn { comparison.isFound = true }
        link.comparisons[kind] = comparison
        let values: [UInt16] =
            lookUp(on: link) { map in
                let values = map.configurations(of: kind)
                return values.isEmpty ? nil : values
            } ?? []
        guard !values.isEmpty, values.allSatisfy(comparison.handles.contains) else { return [] }
        link.comparisons[kind] = nil
        let sessions = self[link.map].openLinks.count
        let missing = kind == "single" ? max(0, sessions - values.count) : nil
        return [
            .told(
                .gattCompared,
                [
                    Field("characteristic", .text(kind)), Field("values", number: values.count),
                    Field("sessions", number: sessions), Field("missing", number: missing),
                    Field("own", .flag(comparison.isFound)),
                ])
        ]
    }

    /// A value was written that nobody may write (R4 4.3): one of the Nearby Interaction Service, or a
    /// description.
    func written(_ handle: UInt16, on link: ObservedLink) -> [ObservedPDU.Meaning] {
        switch role(of: handle, on: link) {
        case .configuration, .userDescription:
            let place = lookUp(on: link) { $0.place(of: handle) }
            return [
                .told(
                    .gattWritten,
                    [
                        Field("handle", number: handle),
                        Field("characteristic", text: place?.characteristic),
                        Field("descriptor", text: place?.descriptor),
                        Field("encrypted", .flag(link.isEncrypted)),
                    ])
            ]
        case .receive, .transmit, .clientConfiguration, .other, nil: return []
        }
    }

    private func description(of handle: UInt16, on link: ObservedLink) -> [Field] {
        let place = lookUp(on: link) { $0.place(of: handle) }
        return [
            Field("handle", number: handle), Field("characteristic", text: place?.characteristic),
            Field("value-handle", number: place?.value),
            Field("encrypted", .flag(link.isEncrypted)),
        ]
    }

    // MARK: Errors

    /// What an error response means: the end of a search, the end of a value, or a refusal.
    func refused(
        _ request: ObservedLink.Request, at faulty: UInt16, with code: ATTErrorCode,
        on link: inout ObservedLink
    ) -> [ObservedPDU.Meaning] {
        // A server that knows no such groups has none of them.
        if code == .unsupportedGroupType, case .readByGroupType(_, let type) = request {
            return sought(type, on: link)
        }
        if code == .attributeNotFound {
            switch request {
            case .readByType(let range, .characteristic): return searched(range, on: link)
            case .readByGroupType(_, let type): return sought(type, on: link)
            case .findInformation: return described(on: link)
            default: return []
            }
        }
        if case .readBlob(let handle, _) = request, link.reading?.handle == handle,
            code == .attributeNotLong || code == .invalidOffset
        {
            return wholeValue(&link)
        }
        guard let access = request.access else { return [] }
        return [
            .told(.gattRefused, refusal(access, at: access.handle ?? faulty, with: code, on: link))
        ]
    }

    private func refusal(
        _ access: ObservedLink.Access, at handle: UInt16, with code: ATTErrorCode,
        on link: ObservedLink
    ) -> [Field] {
        let place = lookUp(on: link) { $0.place(of: handle) }
        return [
            Field("handle", number: handle), Field("characteristic", text: place?.characteristic),
            Field("descriptor", text: place?.descriptor), Field("request", .text(access.name)),
            Field("error", number: code.rawValue), Field("encrypted", .flag(link.isEncrypted)),
        ]
    }
}

/// A value of the Nearby Interaction Service.
private struct Configuration {
    let bytes: [UInt8]
    /// `single` or `multiple`.
    let kind: String
    /// The accessory configuration data in it; nil where it is not what its format says.
    let messages: [[UInt8]]?

    init(_ bytes: [UInt8], _ kind: String) {
        self.bytes = bytes
        self.kind = kind
        if kind == "multiple" {
            messages = (try? MultipleConfigurationData(bytes))?.configurations
        } else {
            messages = (try? AccessoryConfigurationData(bytes)).map { _ in [bytes] }
        }
    }

    var isWhole: Bool { messages != nil }

    /// What is wrong with a Multiple value: the `count` of its messages, the `length` of one, or the `rest`
    /// behind the last (R4 table 4-5); nil where nothing is.
    private var fault: String? {
        guard kind == "multiple", let count = bytes.first else { return nil }
        var rest = bytes.dropFirst()
        for _ in 0..<count {
            guard let length = rest.first else { return "count" }
            rest = rest.dropFirst()
            guard length <= rest.count, Self.isMessage(Array(rest.prefix(Int(length)))) else {
                return "length"
            }
            rest = rest.dropFirst(Int(length))
        }
        guard let length = rest.first else { return nil }
        return Self.isMessage(Array(rest.dropFirst().prefix(Int(length)))) ? "count" : "rest"
    }

    private static func isMessage(_ bytes: [UInt8]) -> Bool {
        (try? AccessoryConfigurationData(bytes)) != nil
    }

    /// How many messages it says it holds (R4 4.3.3); nil where it says nothing.
    private var count: UInt8? { kind == "multiple" ? bytes.first : 1 }

    /// Whether it holds what the accessory sent last (R4 4.3.2); nil where that is not known.
    func isOwn(_ link: ObservedLink) -> Bool? {
        link.announced.map { $0 == bytes || messages?.contains($0) == true }
    }

    func fields(at handle: UInt16, on link: ObservedLink) -> [Field] {
        [
            Field("configuration", .bytes(bytes)), Field("characteristic", .text(kind)),
            Field("handle", number: handle), Field("encrypted", .flag(link.isEncrypted)),
            Field("own", isOwn(link).map { .flag($0) } ?? .none),
            Field("whole", .flag(isWhole)), Field("count", number: count),
        ] + (fault.map { [Field("fault", .text($0))] } ?? [])
    }
}

extension Field {
    /// A number, or nothing.
    init(_ name: String, number: (some FixedWidthInteger)?) {
        self.init(name, number.map { .number(Int64($0)) } ?? .none)
    }

    /// A text, or nothing.
    init(_ name: String, text: String?) {
        self.init(name, text.map { .text($0) } ?? .none)
    }
}
