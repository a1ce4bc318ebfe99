import CFiles

/// Our own scripts and styles, which are part of the program.
enum Assets {
    static var style: String { String(cString: page_css()) }

    /// What draws pages of a kind, in one piece and in a scope of its own.
    static func script(drawing kind: Page.Kind) -> String {
        let pieces = [elements_js()] + own(kind) + [start_js()]
        return "\"use strict\";\n(() => {\n"
            + pieces.map { String(cString: $0) }.joined(separator: "\n") + "})();\n"
    }

    /// What pages with sequence diagrams share.
    private static var diagrams: [UnsafePointer<CChar>] {
        [
            trace_js(), lanes_js(), filters_js(), timeline_js(), layout_js(), sequence_js(),
            painting_js(),
            labels_js(), message_js(), detail_js(), heading_js(), side_js(),
        ]
    }

    /// What pages of many failures share.
    private static var findings: [UnsafePointer<CChar>] { [table_js(), findings_js()] }

    private static func own(_ kind: Page.Kind) -> [UnsafePointer<CChar>] {
        switch kind {
        case .run: diagrams + [run_js()]
        case .failure: diagrams + [failure_js()]
        case .conformance: findings + [conformance_js()]
        case .exploration: findings + [exploration_js()]
        case .soak: findings + [curves_js(), soak_js()]
        }
    }
}
