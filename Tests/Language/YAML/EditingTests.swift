import Testing
import YAML

/// Documents are changed part by part, and written as they were.
struct EditingTests {
    private static let text = """
        devices:
          lock:
            profile: qorvo
            count: 2
        steps:
        - at: 1s
          kill: lock
        - at: 2s
          restart: lock

        """

    @Test func whatNobodyChangedIsWrittenAsItWas() throws {
        let tree = try #require(YAMLReader.tree(of: Self.text))
        #expect(tree.document == Self.text)
        #expect(YAMLReader.tree(of: tree.document)?.document == Self.text)
    }

    @Test func aPartIsReplacedOrLeftOut() throws {
        var tree = try #require(YAMLReader.tree(of: Self.text))
        tree = try #require(tree.replacing(YAMLPath([.key("steps"), .index(0)]), by: nil))
        let count = YAMLPath([.key("devices"), .key("lock"), .key("count")])
        tree = try #require(tree.replacing(count, by: YAMLNode("3")))
        #expect(
            tree.document == """
                devices:
                  lock:
                    profile: qorvo
                    count: 3
                steps:
                - at: 2s
                  restart: lock

                """)
        #expect(tree.replacing(YAMLPath([.key("nowhere")]), by: nil) == tree)
        #expect(tree.replacing(YAMLPath([]), by: nil) == nil)
    }

    @Test func aNewKeyIsTheLastOneAndNilTakesItOut() throws {
        var tree = try #require(YAMLReader.tree(of: "a: 1\nb: 2\n"))
        tree["c"] = YAMLNode(list: [YAMLNode("x")], isInOneLine: true)
        tree["a"] = nil
        tree["on"] = YAMLNode("on", style: .singleQuoted)
        #expect(tree.document == "b: 2\nc: [x]\n'on': 'on'\n")
    }

    @Test func whatIsOfAnotherKindStaysAsItIs() throws {
        var node = YAMLNode("text")
        node["key"] = YAMLNode("1")
        node.items = []
        #expect(node == YAMLNode("text"))
        #expect(node["key"] == nil && node.entries == nil)
    }

    @Test func whatIsWrittenInOneLineIsSoThroughout() throws {
        let tree = try #require(YAMLReader.tree(of: "a:\n  b:\n  - c: 1\n"))
        #expect(tree.inOneLine.document == "{a: {b: [{c: 1}]}}\n")
    }
}
