import AppleOSLog
import Testing

/// `import OSLog` brings what `import os` brings.
@Test func theLogHasTwoNames() { #expect("\(Logger.self)" == "Logger") }
