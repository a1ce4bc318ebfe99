import Artifacts
import Campaigns
import Orchestration
import Reports

extension Replay {
    /// Says what is another one than when the file was written: the version, the folder of its programs, their builds.
    func tellDifferences(of file: String, programs: [RunSettings.ProgramPlace]) throws {
        tellVersion(of: file)
        if isFromElsewhere {
            printError(
                "\(file): \(plainLine(folder ?? "")) is not on this machine: its programs are looked for from the "
                    + "folder in which you are; --program DEVICE=PATH says where one is")
        }
        for difference in try task.differences(from: self.programs ?? [], programs: programs) {
            printError("\(file): \(plainLine(difference)): it may not repeat")
        }
    }

    /// Says that a file is of another version, for which a seed can mean another run; nothing where it is of this one.
    private func tellVersion(of file: String) {
        let own = RunSettings.ofThisProgram.files.tool
        guard tool != own else { return }
        printError(
            "\(file) was written by \(plainLine(tool)), and this is \(own): the same seed may be another run "
                + "(see Versions in the manual)")
    }
}
