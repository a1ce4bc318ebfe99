/// Where to runs are written, and what their files say of the program that wrote them.
package struct RunFiles: Codable, Equatable, Sendable {
    /// The folder of the output tree, in which each run has a folder; nil writes nothing.
    package var tree: String? = "out"
    /// The folder of the one run there is, instead of one of the tree.
    package var folder: String?
    /// The tool's name and version, for headers.
    package var tool: String
    /// What the user calls the command, for the line that repeats a run.
    package var command = "anechoic"

    /// Files in the folder `out`.
    package init(tool: String) { self.tool = tool }
}
