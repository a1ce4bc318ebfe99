package import Orchestration

extension LocalRunner {
    /// Lends a runner of inline devices, which needs no program and writes nothing, to `body`.
    package static func inline<Value>(
        _ change: (inout RunSettings) -> Void = { _ in }, _ body: (LocalRunner) throws -> Value
    ) throws -> Value {
        var settings = RunSettings(programs: "", tool: "test")
        settings.hosting = .inline
        settings.files.tree = nil
        change(&settings)
        return try with(settings, body)
    }
}
