import Basics
import Scenarios
import Vocabulary

/// An option names something that the topology does not have.
package struct WrongName: Error, CustomStringConvertible {
    package let description: String

    init(_ option: String, problem: String, wrong: String, known: [String]) {
        let hint = Suggestion.question(about: wrong, among: known)
        let others = known.isEmpty ? "" : "; there is " + known.joined(separator: ", ")
        description = "\(option): \(problem)" + (hint.isEmpty ? others : hint)
    }
}

extension Topology {
    /// Switches a defect of a device on.
    ///
    /// - Throws: `WrongName` where there is no such device, or it has no such defect. What somebody
    ///   else's program has is not known.
    package mutating func switchOn(_ defect: RunSettings.Defect) throws(WrongName) {
        let option = "--defect \(defect.device)=\(defect.name)"
        guard let index = devices.firstIndex(where: { $0.name == defect.device }) else {
            throw WrongName(
                option, problem: "\(name) has no device \(defect.device)", wrong: defect.device,
                known: devices.map(\.name))
        }
        let kind = devices[index].program.kind
        let known = Catalogue.defects(of: kind).map(\.name)
        guard kind == .foreign || known.contains(defect.name) else {
            throw WrongName(
                option, problem: "\(kind.rawValue) has no defect \(defect.name)",
                wrong: defect.name, known: known)
        }
        guard !devices[index].defects.contains(defect.name) else { return }
        devices[index].defects.append(defect.name)
    }
}
