package import Reports
package import Simulation

/// How runs are done.
///
/// None of it but the scheduler and the defects can change a trace.
package struct RunSettings: Codable, Equatable, Sendable {
    /// Where devices live.
    package enum Hosting: String, Codable, CaseIterable, Sendable {
        /// In processes of their own.
        case process
        /// In this process.
        case inline
    }

    /// Which clock a run follows.
    package enum Clock: String, Codable, CaseIterable, Sendable {
        /// As fast as it can.
        case virtual
        /// Virtual time keeps pace with the wall clock.
        case wall
    }

    /// A defect to switch on in a device.
    package struct Defect: Codable, Equatable, Sendable {
        /// The device's name.
        package let device: String
        /// The defect's name.
        package let name: String

        /// A defect.
        package init(device: String, name: String) {
            self.device = device
            self.name = name
        }
    }

    /// Who picks.
    package var scheduler = Strategy.random
    /// Where devices live.
    package var hosting = Hosting.process
    /// Which clock.
    package var clock = Clock.virtual
    /// How devices by process are joined to us.
    package var transport = "pipes"
    /// Whether every run starts its own processes.
    package var usesFreshProcesses = false
    /// Whether everything is run twice and compared step by step.
    package var runsTwice = false
    /// How long a turn may take by the wall clock, in milliseconds.
    package var watchdog: UInt64 = 5_000
    /// Whether every turn is an event of the trace.
    package var tracesTurns = false
    /// Where the output tree is written; nil writes nothing.
    package var output: String? = "out"
    /// Where devices that dial in find us: `FOLDER/NAME.sock`; nil is `anechoic` in the folder for
    /// temporary files.
    package var sockets: String?
    /// The folder of the one run there is, instead of one below `output`.
    package var folder: String?
    /// Defects to switch on besides those of the topology.
    package var defects: [Defect] = []
    /// Where the reference devices' programs are.
    package var programs: String
    /// The tool's name and version, for headers.
    package var tool: String
    /// What the user calls the command, for the line that repeats a run.
    package var command = "anechoic"

    /// The name of who picks in the run of a seed.
    package func schedulerName(seed: UInt64) -> String { scheduler.arm(of: seed).name }

    /// Settings with defaults.
    package init(programs: String, tool: String) {
        self.programs = programs
        self.tool = tool
    }
}

/// One run to do: a topology and a seed.
package struct RunTask: Codable, Hashable, Sendable {
    /// The topology's name: its path below the given folder, without suffix.
    package var name: String
    /// Its file, as the user gave it.
    package var file: String
    /// Its text.
    package var text: String
    /// The seed.
    package var seed: UInt64
    /// The fault of a sweep that its text has beside what the file says; nil for any other run.
    package var sweptFault: RunReport.SweptFault?

    /// A run to do.
    package init(
        name: String, file: String, text: String, seed: UInt64,
        sweptFault: RunReport.SweptFault? = nil
    ) {
        self.name = name
        self.file = file
        self.text = text
        self.seed = seed
        self.sweptFault = sweptFault
    }
}
