import Basics
import Testing

/// Paths as words.
struct RelativePathTests {
    @Test(arguments: [
        ("a/b/../c", "a/c"), ("finder/Topologies/../.build/finder", "finder/.build/finder"),
        ("./a//b/.", "a/b"), ("../a", "../a"), ("a/../..", ".."), ("/a/../../b", "/b"), (".", "."),
        ("a/..", "."), ("/", "/"), ("", "."),
    ])
    func aPathIsTidied(path: String, tidy: String) {
        #expect(tidyPath(path) == tidy)
    }

    @Test(arguments: [
        ("/a/Topologies", "/a", ".."), ("/a", "/a/b/c", "b/c"), ("/a/b", "/a/c", "../c"),
        ("/a", "/a", "."), ("/", "/a", "a"), ("/a/./x/..", "/", ".."),
    ])
    func aWayLeadsFromOneFolderToAnother(one: String, other: String, way: String) {
        #expect(Basics.way(from: one, to: other) == way)
    }

    @Test func aProgramIsNeverLookedForInThePATH() {
        #expect(programPath("./app") == "./app")
        #expect(programPath("x/../app") == "./app")
        #expect(programPath("../app") == "../app")
    }
}
