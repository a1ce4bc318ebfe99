import Foundation
import TestSupport

/// A reader of a page: headless Chromium, driven by `Browser/visit.py`.
struct Visit {
    private static let python = root + "/.build/venv/bin/python3"
    private static let driver = root + "/Tests/Tool/anechoic/Browser/visit.py"

    /// Whether there is a browser; `Scripts/test` sees to it.
    static let isPossible = [python, "/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy {
        FileManager.default.fileExists(atPath: $0)
    }

    /// What the reader has seen.
    private let seen: [String: Any]

    /// Opens a page and does what the visit of this name is about; `options` say how wide and how dark.
    init(_ visit: String, to page: String, in place: Place, _ options: String...) throws {
        let outcome = try place.run([Self.python, Self.driver, page, visit] + options)
        guard
            let seen = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
                as? [String: Any]
        else { throw Failure("\(visit): \(outcome.said)") }
        self.seen = seen
    }

    /// A text; empty where nothing was seen.
    subscript(name: String) -> String { seen[name] as? String ?? "" }

    func list(_ name: String) -> [String] { seen[name] as? [String] ?? [] }

    func numbers(_ name: String) -> [Double] {
        (seen[name] as? [NSNumber])?.map(\.doubleValue) ?? []
    }

    func number(_ name: String) -> Double? { (seen[name] as? NSNumber)?.doubleValue }

    /// What the browser complained of.
    var complaints: [String] { list("console") }
}
