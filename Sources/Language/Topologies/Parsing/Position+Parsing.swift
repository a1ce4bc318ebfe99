import Scenarios
import YAML

extension Position {
    /// The place that a list of two or three lengths says; the third is the height, 0 by default.
    init(_ node: YAMLNode, for what: String) throws(Problem) {
        let expected = "[right, ahead, up] in mm, cm or m, like [2m, 0, 1m]"
        let items = try node.list(what, expected: expected)
        guard items.count == 2 || items.count == 3 else {
            throw node.problem(
                "`\(what)` has \(items.count == 1 ? "one length" : "\(items.count) lengths")",
                expected: expected)
        }
        var lengths: [Int64] = []
        for item in items { lengths.append(try item.length(what)) }
        self.init(x: lengths[0], y: lengths[1], z: items.count == 3 ? lengths[2] : 0)
    }
}

extension Wall {
    /// All of `walls:`.
    static func all(_ node: YAMLNode) throws(Problem) -> [Wall] {
        var walls: [Wall] = []
        var mistakes = Mistakes()
        for item in try node.list(
            "walls", expected: "a list of walls, like {from: [0, 2m], to: [3m, 2m]}")
        {
            mistakes.attempt { () throws(Problem) in walls.append(try Wall(item)) }
        }
        try mistakes.check()
        return walls
    }

    private init(_ node: YAMLNode) throws(Problem) {
        let mapping = try YAMLMapping(node, of: "a wall", keys: TopologyKeys.wall)
        let expected = "both ends, like {from: [0, 2m], to: [3m, 2m]}"
        let from = try mapping.required("from", expected: expected)
        let to = try mapping.required("to", expected: expected)
        self.init(from: try Position(from, for: "from"), to: try Position(to, for: "to"))
    }
}

/// Places for many devices, row by row.
struct Grid {
    private let origin: Position
    private let right: Int64
    private let ahead: Int64
    private let columns: Int64

    init(_ node: YAMLNode) throws(Problem) {
        let mapping = try YAMLMapping(node, of: "a grid", keys: TopologyKeys.grid)
        let from = try mapping.required("from", expected: "the first place, like from: [0m, 0]")
        origin = try Position(from, for: "from")
        let columns = try mapping.required("columns", expected: "how many stand side by side")
        self.columns = try columns.integer("columns", in: 1...Int64(TopologyLimits.devices))
        let spacing = try mapping.required(
            "spacing", expected: "how far apart they stand, like 3m or [3m, 4m]")
        if case .list = spacing.content {
            let both = try Position(spacing, for: "spacing")
            (right, ahead) = (both.x, both.y)
        } else {
            right = try spacing.length("spacing")
            ahead = right
        }
    }

    /// The place of the `number`th device, from 0.
    func position(of number: Int) -> Position {
        let (row, column) = Int64(number).quotientAndRemainder(dividingBy: columns)
        return Position(
            x: origin.x + column * right, y: origin.y + row * ahead, z: origin.z)
    }
}
