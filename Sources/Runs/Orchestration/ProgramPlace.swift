import Basics
import Scenarios

extension RunSettings {
    /// Where a device's program is on this machine, in place of what the topology says.
    package struct ProgramPlace: Codable, Equatable, Sendable {
        /// The device's name, or that of its group.
        package let device: String
        /// The path, as the user wrote it: from the working folder.
        package let path: String

        package init(device: String, path: String) {
            (self.device, self.path) = (device, path)
        }

        /// Whether it is of a device of this name: its own, or that of its group.
        package func isOf(_ name: String) -> Bool {
            name == device
                || name.hasPrefix(device + "-") && Int(name.dropFirst(device.count + 1)) != nil
        }
    }
}

extension Topology {
    /// Lets a device start the program at a place, which is absolute or counts from `folder`, with the arguments of
    /// its own.
    ///
    /// - Throws: `WrongName` where no such device has a program of somebody else's.
    mutating func start(
        _ program: RunSettings.ProgramPlace, from folder: String
    ) throws(WrongName) {
        let path = tidyPath(
            program.path.hasPrefix("/") ? program.path : "\(folder)/\(program.path)")
        var isFound = false
        for index in devices.indices where program.isOf(devices[index].name) {
            switch devices[index].program {
            case .executable(let old, let arguments, let model) where old != "bench-device":
                devices[index].program = .executable(
                    path: path, arguments: arguments, model: model)
            case .host(var host, let model):
                host.path = path
                devices[index].program = .host(host, model: model)
            case .executable, .accessory, .appleDevice, .dialsIn: continue
            }
            isFound = true
        }
        guard !isFound else { return }
        let known = devices.filter { $0.command != nil }.map(\.name)
        throw WrongName(
            "--program \(program.device)=\(program.path)",
            problem: "\(name) has no device \(program.device) with a program (run: or hci:)",
            wrong: program.device, known: known)
    }
}
