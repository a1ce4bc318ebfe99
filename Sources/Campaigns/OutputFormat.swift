/// How results are shown.
package enum OutputFormat: String, CaseIterable, Sendable {
    case text, json
}
