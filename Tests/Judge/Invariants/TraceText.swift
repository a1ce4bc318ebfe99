import Basics
import DeviceLink
import Invariants
import Monitors
import PromiseLibrary
import Testing
import Traces

/// A trace from text, one event a line: `SECONDS DEVICE KIND NAME=VALUE…`.
///
/// `-` stands for no device. A value is a number, `true`, `false`, `null`, bytes as `x'0A0B'`, or text.
/// Each event has a step of its own; `&` before the time joins the step of the event before. `#`
/// begins a comment.
func trace(_ text: String) -> [TraceEvent] {
    var events: [TraceEvent] = []
    for line in text.split(separator: "\n") {
        var words = line.split(separator: " ").map(String.init)[...]
        guard let first = words.first, !first.hasPrefix("#") else { continue }
        var step = (events.last?.step ?? 0) + 1
        if first == "&" {
            step -= 1
            words.removeFirst()
        }
        let time = seconds(words.removeFirst())
        let device = words.removeFirst()
        let name = words.removeFirst()
        guard let kind = EventKind(named: name) else {
            preconditionFailure("no such kind: \(name)")
        }
        events.append(
            TraceEvent(
                number: UInt64(events.count), time: time, step: step, kind: kind,
                device: device == "-" ? "" : device, role: role(of: device),
                fields: words.map(field)))
    }
    return events
}

/// Ben and Amy are phones, everything else that has a name is an accessory.
private func role(of device: String) -> DeviceRole? {
    device == "-" ? nil : ["ben", "amy"].contains(device) ? .appleDevice : .accessory
}

/// Promises of the library, and the fluents they speak of.
func library(_ ids: String...) -> CompiledProperties {
    var set = PropertyLibrary.standard
    set.properties = ids.compactMap { id in set.properties.first { $0.id == id } }
    set.goals = []
    precondition(set.properties.count == ids.count, "the library lacks one of \(ids)")
    return CompiledProperties(set)
}

/// The result of one promise of the library after a trace.
func result(of id: String, _ text: String) -> Verdict.PromiseResult {
    verdict(of: Judge(promises: [], properties: [library(id)]), text).promises[0]
}

/// What a judge says of a trace, and says again when it has been reset.
func verdict(of judge: Judge, _ text: String) -> Verdict {
    let events = trace(text)
    var judge = judge
    func said() -> Verdict {
        for event in events { judge.observe(event) }
        return judge.verdict()
    }
    let verdict = said()
    judge.reset()
    #expect(said() == verdict)
    return verdict
}

/// The result of one promise after a trace that ends as `run.ended` says, or is cut.
func result(of promise: any Promise, _ text: String) -> Verdict.PromiseResult {
    verdict(of: promise, text).promises[0]
}

/// The verdict of one promise after a trace.
func verdict(
    of promise: any Promise, _ text: String, mustViolate: [String] = []
) -> Verdict {
    verdict(of: Judge(promises: [promise], mustViolate: mustViolate), text)
}

/// The sentences of one promise's violations after a trace.
func complaints(of promise: any Promise, _ text: String) -> [String] {
    result(of: promise, text).record.violations.map(\.sentence)
}

private func seconds(_ text: String) -> VirtualTime {
    let parts = text.split(separator: ".")
    let whole = UInt64(parts[0]) ?? 0
    let digits =
        parts.count > 1 ? parts[1] + String(repeating: "0", count: 9 - parts[1].count) : "0"
    return VirtualTime(nanoseconds: whole * 1_000_000_000 + (UInt64(digits) ?? 0))
}

private func field(_ word: String) -> Field {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    precondition(parts.count == 2, "not NAME=VALUE: \(word)")
    return Field(parts[0], value(parts[1]))
}

private func value(_ text: String) -> Field.Value {
    if let number = Int64(text) { return .number(number) }
    if text.hasPrefix("x'") { return .bytes([UInt8](hexadecimal: text.filter(\.isHexDigit)) ?? []) }
    switch text {
    case "true": return .flag(true)
    case "false": return .flag(false)
    case "null": return .none
    default: return .text(text)
    }
}
