/// Our own scripts and styles, which are part of the program.
enum Assets {
    /// The styles of all pages.
    static var style: String { text(PackageResources.page_css) }

    /// What draws pages of a kind, in one piece and in a scope of its own.
    static func script(drawing kind: Page.Kind) -> String {
        let pieces = [PackageResources.elements_js] + own(kind) + [PackageResources.start_js]
        return "\"use strict\";\n(() => {\n" + pieces.map(text).joined(separator: "\n") + "})();\n"
    }

    /// What pages with sequence diagrams share.
    private static let diagrams = [
        PackageResources.trace_js, PackageResources.lanes_js, PackageResources.filters_js,
        PackageResources.timeline_js, PackageResources.layout_js, PackageResources.sequence_js,
        PackageResources.painting_js, PackageResources.labels_js, PackageResources.message_js,
        PackageResources.detail_js,
        PackageResources.heading_js, PackageResources.side_js,
    ]

    /// What pages of many failures share.
    private static let findings = [PackageResources.table_js, PackageResources.findings_js]

    private static func own(_ kind: Page.Kind) -> [[UInt8]] {
        switch kind {
        case .run: diagrams + [PackageResources.run_js]
        case .failure: diagrams + [PackageResources.failure_js]
        case .conformance: [PackageResources.table_js, PackageResources.conformance_js]
        case .exploration: findings + [PackageResources.exploration_js]
        case .soak: findings + [PackageResources.curves_js, PackageResources.soak_js]
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
