package import Artifacts
import Foundation
package import Reports
package import Scenarios

/// One run to do: a topology and a seed.
package struct RunTask: Codable, Hashable, Sendable {
    /// The topology's name: its path below the given folder, without suffix.
    package var name: String
    /// Its file, as the user gave it.
    package var file: String
    package var document: TopologyDocument
    /// The number from which everything that is drawn follows.
    package var seed: UInt64
    /// The folder from which `run:` paths count, where it is not that of ``file``.
    package var folder: String?
    /// The way from the folder of ``file`` to ``folder``, where a topology that is made of this one is for the
    /// folder of that file: `..`; nil where it is for ``folder`` itself.
    package var wayBack: String?
    /// The fault of a sweep that its text has beside what the file says; nil for any other run.
    package var sweptFault: RunReport.SweptFault?

    private enum CodingKeys: String, CodingKey {
        case name, file, seed, folder, wayBack, sweptFault
        case document = "text"
    }

    /// A run of a topology that has been read, or is read when it is played.
    package init(
        name: String, file: String, document: TopologyDocument, seed: UInt64,
        folder: String? = nil, wayBack: String? = nil,
        sweptFault: RunReport.SweptFault? = nil
    ) {
        self.name = name
        self.file = file
        self.document = document
        self.seed = seed
        self.folder = folder
        self.wayBack = wayBack
        self.sweptFault = sweptFault
    }

    /// A run of a topology that is read when it is played.
    package init(
        name: String, file: String, text: String, seed: UInt64, folder: String? = nil,
        wayBack: String? = nil, sweptFault: RunReport.SweptFault? = nil
    ) {
        self.init(
            name: name, file: file, document: TopologyDocument(text), seed: seed, folder: folder,
            wayBack: wayBack, sweptFault: sweptFault)
    }

    /// The topology's text; a new one is read when it is played.
    package var text: String {
        get { document.text }
        set { document = TopologyDocument(newValue) }
    }

    /// The folder in which programs that the topology names are started, and from which their paths
    /// count: an absolute path.
    package var base: String {
        folder ?? URL(filePath: file).deletingLastPathComponent().standardizedFileURL.path
    }

    /// The checked topology, with further defects switched on, and programs where they are on this machine.
    ///
    /// - Throws: `DocumentError` where its text is none, `WrongName` where it lacks what a defect
    ///   or a program is for.
    package func topology(
        with defects: [RunSettings.Defect] = [], programs: [RunSettings.ProgramPlace] = []
    ) throws -> Topology {
        var topology = try document.read(name: name, file: file)
        topology.name = name
        topology.folder = base
        for defect in defects { try topology.switchOn(defect) }
        for program in programs {
            try topology.start(program, from: FileManager.default.currentDirectoryPath)
        }
        return topology
    }

    /// The same run, whose topology nobody reads again.
    ///
    /// - Throws: `DocumentError` where its text is none.
    package func read() throws -> RunTask {
        guard document.topology == nil else { return self }
        var task = self
        task.document = TopologyDocument(text, saying: try document.read(name: name, file: file))
        return task
    }
}
