package import Scenarios
package import Schedules
internal import Simulation
internal import Vocabulary

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
    /// Where devices that dial in find us: `FOLDER/NAME.sock`; nil is a new folder for each process.
    package var sockets: String?
    /// The most bytes of address space that somebody else's program may have; 0 is without a limit.
    package var deviceMemory: UInt64 = 0
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

extension RunSettings.Hosting {
    /// Where the devices of a topology live if nobody says otherwise: those of somebody else have processes of
    /// their own, and ours need none.
    package init(of topology: Topology) {
        self = topology.devices.allSatisfy(\.isOurs) ? .inline : .process
    }
}

extension DeviceSpec {
    /// Whether it can live inside this process.
    package var isOurs: Bool {
        switch program {
        case .accessory, .appleDevice, .executable("bench-device", _, _): true
        case .executable, .dialsIn: false
        }
    }

    /// Whether its crash would be an error of ours: a reference device without a defect that lets it crash.
    var mayNotCrash: Bool {
        isOurs && !defects.contains(where: Catalogue.crashingDefects.contains)
    }
}
