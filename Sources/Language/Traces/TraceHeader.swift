/// What the first line of a trace says: how to read the rest, and which run it is.
package struct TraceHeader: Equatable, Sendable {
    /// The version of `TRACE.md` that the lines follow.
    package var schema: UInt64
    package var topology: String
    package var seed: UInt64
    /// The scheduler that made the picks.
    package var scheduler: String
    /// Name and version of the program that wrote the trace.
    package var tool: String

    /// The schema this module writes and reads.
    package static let currentSchema: UInt64 = 1

    /// A header of the current schema.
    package init(
        topology: String, seed: UInt64, scheduler: String, tool: String,
        schema: UInt64 = TraceHeader.currentSchema
    ) {
        self.schema = schema
        self.topology = topology
        self.seed = seed
        self.scheduler = scheduler
        self.tool = tool
    }
}
