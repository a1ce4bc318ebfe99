import Yams

extension YAMLNode {
    /// The document as a file has it; lines are never broken.
    package var document: String {
        do { return try Yams.serialize(node: written, width: -1) } catch {
            preconditionFailure("a tree that is no document: \(error)")
        }
    }

    private var written: Node {
        switch content {
        case .text(let text, let style): Node(text, .implicit, style.written)
        case .list(let items): Node(items.map(\.written), .implicit, isInOneLine ? .flow : .block)
        case .mapping(let entries):
            Node(
                entries.map { ($0.keyNode.written, $0.value.written) }, .implicit,
                isInOneLine ? .flow : .block)
        }
    }
}

extension YAMLNode.Style {
    init(_ style: Node.Scalar.Style) {
        self =
            switch style {
            case .any, .plain: .plain
            case .singleQuoted: .singleQuoted
            case .doubleQuoted: .doubleQuoted
            case .literal: .literal
            case .folded: .folded
            }
    }

    fileprivate var written: Node.Scalar.Style {
        switch self {
        case .plain: .plain
        case .singleQuoted: .singleQuoted
        case .doubleQuoted: .doubleQuoted
        case .literal: .literal
        case .folded: .folded
        }
    }
}
