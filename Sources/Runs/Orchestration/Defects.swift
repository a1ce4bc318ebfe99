import Basics
import Scenarios
import Vocabulary

/// `--defect` names something that is not there.
package struct WrongDefect: Error, CustomStringConvertible {
    package let description: String

    fileprivate init(
        _ defect: RunSettings.Defect, problem: String, wrong: String, known: [String]
    ) {
        let hint = Suggestion.question(about: wrong, among: known)
        description =
            "--defect \(defect.device)=\(defect.name): \(problem)"
            + (hint.isEmpty ? "; there is " + known.joined(separator: ", ") : hint)
    }
}

extension Topology {
    /// Switches a defect of a device on.
    ///
    /// - Throws: `WrongDefect` where there is no such device, or it has no such defect. What somebody
    ///   else's program has is not known.
    package mutating func switchOn(_ defect: RunSettings.Defect) throws(WrongDefect) {
        guard let index = devices.firstIndex(where: { $0.name == defect.device }) else {
            throw WrongDefect(
                defect, problem: "\(name) has no device \(defect.device)", wrong: defect.device,
                known: devices.map(\.name))
        }
        let kind = devices[index].program.kind
        let known = Catalogue.defects(of: kind).map(\.name)
        guard kind == .foreign || known.contains(defect.name) else {
            throw WrongDefect(
                defect, problem: "\(kind.rawValue) has no defect \(defect.name)",
                wrong: defect.name, known: known)
        }
        guard !devices[index].defects.contains(defect.name) else { return }
        devices[index].defects.append(defect.name)
    }
}
