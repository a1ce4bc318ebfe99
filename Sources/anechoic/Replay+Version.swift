import Orchestration
import Reports

extension Replay {
    /// Says that a file is of another version, for which a seed can mean another run; nothing where it is of this one.
    func tellVersion(of file: String) {
        let own = RunSettings.ofThisProgram.files.tool
        guard tool != own else { return }
        printError(
            "\(file) was written by \(plainLine(tool)), and this is \(own): the same seed may be another run "
                + "(see Versions in the manual)")
    }
}
