import Basics
import Yams

/// YAML text becomes a tree of `YAMLNode`s, within limits.
///
/// Yams would expand aliases while it composes (and hash expanded keys, which explodes) and it does
/// not say where the second of two equal keys stands. So it never sees an alias or, in the end, a
/// duplicate: `*` is replaced by a private character of the same width, and the first character of
/// a key that stands twice by others; all are put back here, where they can be counted.
package struct YAMLReader {
    private static let aliasMark: Unicode.Scalar = "\u{E000}"
    /// One for each duplicate that is resolved, so that no two disguised keys are equal.
    private static let duplicateMarks = (0xE001...0xE032).compactMap(Unicode.Scalar.init)

    /// A node with what it costs to walk it.
    private struct Measured {
        var node: YAMLNode
        var size: Int
        var height: Int

        /// One piece, of which the parts are added later.
        init(_ content: YAMLNode.Content, at position: SourcePosition, isInOneLine: Bool = false) {
            node = YAMLNode(content: content, position: position, isInOneLine: isInOneLine)
            (size, height) = (1, 1)
        }

        mutating func add(_ child: Measured, at position: SourcePosition) throws(YAMLFailure) {
            let (sum, overflow) = size.addingReportingOverflow(child.size)
            guard !overflow, sum <= YAMLLimits.nodes else { throw .tooLarge(at: position) }
            size = sum
            height = max(height, child.height + 1)
        }
    }

    /// Whether any character of the text stands for another.
    private var isMarked = false
    private var disguised: [(position: SourcePosition, original: Unicode.Scalar)] = []
    private var anchors: [String: Measured] = [:]

    /// What `body` makes of the one document in the bytes of a file; `file` is what messages call it.
    package static func read<Value>(
        _ bytes: [UInt8], of file: String, as body: (YAMLNode) throws(Problem) -> Value
    ) throws(DocumentError) -> Value {
        do {
            return try body(try document(try SourceText.checked(bytes)))
        } catch {
            let source = String(decoding: bytes.prefix(YAMLLimits.bytes), as: UTF8.self)
            throw DocumentError(file: file, problem: error, source: source)
        }
    }

    /// The tree of a text for those who change texts; nil where this reader would refuse the text.
    package static func tree(of text: String) -> YAMLNode? {
        try? document(SourceText.checked(Array(text.utf8)))
    }

    private static func document(_ text: String) throws(Problem) -> YAMLNode {
        var reader = YAMLReader()
        return try reader.read(text)
    }

    private mutating func read(_ text: String) throws(Problem) -> YAMLNode {
        isMarked = text.utf8.contains(UInt8(ascii: "*"))
        var text = text
        if isMarked {
            text.unicodeScalars = .init(text.unicodeScalars.map { $0 == "*" ? Self.aliasMark : $0 })
        }
        while true {
            do {
                return try convert(text)
            } catch YAMLFailure.duplicate(let position, let name) {
                guard disguised.count < Self.duplicateMarks.count,
                    disguise(position, in: &text)
                else { throw Problem("the key `\(name)` is given more than once", at: position) }
                isMarked = true
            } catch YAMLFailure.problem(let problem) {
                throw problem
            } catch {
                throw Problem("the YAML parser failed: \(error)", at: nil)
            }
        }
    }

    private mutating func disguise(_ position: SourcePosition, in text: inout String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var lines = scalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(position.line - 1) else { return false }
        var line = Array(lines[position.line - 1])
        var column = position.column - 1
        guard line.indices.contains(column) else { return false }
        if "\"'".unicodeScalars.contains(line[column]) { column += 1 }
        guard line.indices.contains(column),
            !"&!?[{\\\"'|>".unicodeScalars.contains(line[column]),
            !Self.duplicateMarks.contains(line[column])
        else { return false }
        let mark = Self.duplicateMarks[disguised.count]
        disguised.append((position, line[column]))
        line[column] = mark
        lines[position.line - 1] = line[...]
        text.unicodeScalars = .init(lines.joined(separator: "\n".unicodeScalars))
        return true
    }

    private mutating func convert(_ text: String) throws -> YAMLNode {
        anchors = [:]
        let parser = try Yams.Parser(yaml: text, resolver: .basic, encoding: .utf8)
        return try withExtendedLifetime(parser) {
            do {
                guard let root = try parser.singleRoot() else { throw Self.empty }
                return try measured(root, depth: 1).node
            } catch let error as YamlError {
                throw YAMLFailure(error)
            }
        }
    }

    private static var empty: YAMLFailure {
        .mistake(
            "the file is empty", at: nil,
            expected: "a topology, which begins with `about:` or `devices:`")
    }
}

extension YAMLReader {
    private mutating func measured(_ node: Node, depth: Int) throws(YAMLFailure) -> Measured {
        let position = SourcePosition(node.mark)
        guard depth <= YAMLLimits.depth else { throw .tooDeep(at: position) }
        try checkTag(of: node, at: position)
        let measured: Measured
        switch node {
        case .scalar(let scalar): measured = try self.scalar(scalar, at: position, depth: depth)
        case .sequence(let sequence):
            measured = try self.sequence(sequence, at: position, depth: depth)
        case .mapping(let mapping): measured = try self.mapping(mapping, at: position, depth: depth)
        case .alias: preconditionFailure("Yams composes no alias nodes")
        }
        guard measured.size <= YAMLLimits.nodes else { throw .tooLarge(at: position) }
        if let anchor = node.anchor?.rawValue { anchors[anchor] = measured }
        return measured
    }

    private mutating func scalar(
        _ scalar: Node.Scalar, at position: SourcePosition, depth: Int
    ) throws(YAMLFailure) -> Measured {
        if scalar.style == .plain, scalar.string.unicodeScalars.first == Self.aliasMark {
            return try alias(
                String(scalar.string.unicodeScalars.dropFirst()), at: position, depth: depth)
        }
        let content = YAMLNode.Content.text(
            restored(scalar.string, at: position), YAMLNode.Style(scalar.style))
        return Measured(content, at: position)
    }

    private func alias(
        _ name: String, at position: SourcePosition, depth: Int
    ) throws(YAMLFailure) -> Measured {
        guard let target = anchors[name] else { throw .noAnchor(name, at: position) }
        guard depth + target.height - 1 <= YAMLLimits.depth else { throw .tooDeep(at: position) }
        return target
    }

    private mutating func sequence(
        _ sequence: Node.Sequence, at position: SourcePosition, depth: Int
    ) throws(YAMLFailure) -> Measured {
        var result = Measured(.list([]), at: position, isInOneLine: sequence.style == .flow)
        var items: [YAMLNode] = []
        for node in sequence {
            let item = try measured(node, depth: depth + 1)
            try result.add(item, at: SourcePosition(node.mark))
            items.append(item.node)
        }
        result.node.content = .list(items)
        return result
    }

    private mutating func mapping(
        _ mapping: Node.Mapping, at position: SourcePosition, depth: Int
    ) throws(YAMLFailure) -> Measured {
        var result = Measured(.mapping([]), at: position, isInOneLine: mapping.style == .flow)
        var entries: [YAMLNode.Entry] = []
        var lines: [String: Int] = [:]
        for pair in mapping {
            let (key, keyNode) = try key(pair.key)
            if let line = lines.updateValue(keyNode.position.line, forKey: key) {
                throw .problem(
                    keyNode.problem(
                        "the key `\(key)` is given a second time; first in line \(line)"))
            }
            let value = try measured(pair.value, depth: depth + 1)
            try result.add(value, at: SourcePosition(pair.value.mark))
            entries.append(YAMLNode.Entry(key: key, keyNode: keyNode, value: value.node))
        }
        result.node.content = .mapping(entries)
        return result
    }

    private func key(_ node: Node) throws(YAMLFailure) -> (String, YAMLNode) {
        let position = SourcePosition(node.mark)
        guard case .scalar(let scalar) = node,
            scalar.style != .plain || scalar.string.unicodeScalars.first != Self.aliasMark
        else {
            throw .mistake("a key can only be a word", at: position, expected: "a word and a colon")
        }
        try checkTag(of: node, at: position)
        let key = restored(scalar.string, at: position)
        let keyNode = YAMLNode(
            content: .text(key, YAMLNode.Style(scalar.style)), position: position)
        if scalar.style == .plain, YAMLBoolean.isOne(key) {
            throw .problem(YAMLBoolean.keyProblem(keyNode))
        }
        return (key, keyNode)
    }

    private func restored(_ text: String, at position: SourcePosition) -> String {
        guard isMarked else { return text }
        let original = disguised.first { $0.position == position }?.original
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case Self.aliasMark: "*"
            case _ where Self.duplicateMarks.contains(scalar): original ?? scalar
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static let meaningless = [Tag.Name.implicit, .str, .nonSpecific].map(\.rawValue)

    private func checkTag(of node: Node, at position: SourcePosition) throws(YAMLFailure) {
        let tag: Tag =
            switch node {
            case .scalar(let scalar): scalar.tag
            case .sequence(let sequence): sequence.tag
            case .mapping(let mapping): mapping.tag
            case .alias(let alias): alias.tag
            }
        guard Self.meaningless.contains(tag.description) else {
            throw .mistake(
                "the YAML tag `\(tag.description.replacing("tag:yaml.org,2002:", with: "!!"))` "
                    + "has no meaning here", at: position)
        }
    }
}

extension SourcePosition {
    fileprivate init(_ mark: Mark?) {
        self.init(line: mark?.line ?? 1, column: mark?.column ?? 1)
    }
}
