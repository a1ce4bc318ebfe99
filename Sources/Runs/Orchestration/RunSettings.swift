package import Scenarios
package import Schedules
import Vocabulary

/// How runs are played, and where to they are written; ``RunTask`` says what is played.
///
/// None of it but the scheduler, the defects and ``tracesTurns`` can change a trace.
package struct RunSettings: Codable, Equatable, Sendable {
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

    package struct Defect: Codable, Equatable, Sendable {
        package let device: String
        package let name: String

        package init(device: String, name: String) {
            self.device = device
            self.name = name
        }
    }

    package var scheduler = Strategy.random
    package var hosting = Hosting.process
    package var clock = Clock.virtual
    /// How the processes of devices are started, joined to us and watched.
    package var processes: ProcessHosting.Options
    /// Whether everything is run twice and compared step by step.
    package var runsTwice = false
    /// Whether every turn is an event of the trace.
    package var tracesTurns = false
    /// Defects to switch on besides those of the topology.
    package var defects: [Defect] = []
    /// Where programs are on this machine, where that is not what the topology says.
    package var programs: [ProgramPlace] = []
    package var files: RunFiles

    /// The name of who picks in the run of a seed.
    package func schedulerName(seed: UInt64) -> String { scheduler.arm(of: seed).name }

    /// Settings with defaults; `programs` is the folder of the reference devices' programs.
    package init(programs: String, tool: String) {
        processes = ProcessHosting.Options(programs: programs)
        files = RunFiles(tool: tool)
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
        case .executable, .host, .dialsIn: false
        }
    }

    /// Whether its crash would be an error of ours: a reference device without a defect that lets it crash.
    var mayNotCrash: Bool {
        isOurs && !defects.contains(where: Catalogue.crashingDefects.contains)
    }
}
