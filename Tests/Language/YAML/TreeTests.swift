import Basics
import Testing
import YAML

/// A document is a tree with places.
struct TreeTests {
    @Test func everyPartHasItsPlace() throws {
        let tree = try #require(YAMLReader.tree(of: "a: 1\nb:\n  - x\n  - {c: 'd'}\n"))
        let path = YAMLPath([.key("b"), .index(1), .key("c")])
        #expect(path.description == "b[1].c")
        #expect(tree[path]?.string == "d")
        #expect(tree[path]?.position == SourcePosition(line: 4, column: 9))
        #expect(tree[path]?.content == .text("d", .singleQuoted))
    }

    @Test func anAliasIsWhatItNames() throws {
        let tree = try #require(YAMLReader.tree(of: "a: &one [x, y]\nb: *one\n"))
        #expect(tree["b"]?.items?.map(\.string) == ["x", "y"])
        #expect(tree["b"]?.position == tree["a"]?.position)
    }

    @Test(arguments: [
        "", "a: 1\na: 2", "a: *nowhere", "a: !!set {}", "- {[x]: 1}", "a: 1\n---\nb: 2", "a: \u{7}",
        (0...YAMLLimits.depth).map { String(repeating: " ", count: $0) + "k:\n" }.joined(),
    ])
    func whatCouldMeanTwoThingsIsNoTree(text: String) {
        #expect(YAMLReader.tree(of: text) == nil)
    }

    @Test func aBombOfAliasesCostsNothing() {
        let lines = (1...60).map { "k\($0): &k\($0) [*k\($0 - 1), *k\($0 - 1)]" }
        let bomb = (["k0: &k0 [x, x]"] + lines).joined(separator: "\n")
        #expect(YAMLReader.tree(of: bomb) == nil)
    }

    @Test(arguments: ["a", "~", "null", "", "'on'", "[]", "{}"])
    func aNodeSaysWhatItIs(text: String) throws {
        let node = try #require(YAMLReader.tree(of: "x: \(text)")?["x"])
        let words = [
            "a": "`a`", "~": "nothing", "null": "nothing", "": "nothing", "'on'": "`on`",
            "[]": "a list", "{}": "a mapping",
        ]
        #expect(node.described == words[text])
    }
}
