import Foundation
import Testing

/// The rules of this repository that no compiler checks; each is shown to find what breaks it.
struct TidyTests {
    @Test func theCodeKeepsItsRules() throws {
        let sources = try Repository.swift(in: "Sources")
        try #require(!sources.isEmpty)
        for rule in CodeRule.allCases { #expect(rule.broken(by: sources) == [], "\(rule)") }
    }

    @Test(arguments: CodeRule.allCases)
    func aRuleOfCodeFindsWhatBreaksIt(_ rule: CodeRule) {
        for (module, code) in rule.samples {
            let (good, bad) = ("// \(code)", code)
            let lines = Line.all(of: "\(good)\n\(bad)", at: "Sources/Wing/\(module)/File.swift")
            #expect(rule.broken(by: lines) == [lines[1]])
        }
    }

    /// A switch names all cases, however many, so that the compiler finds a forgotten one.
    @Test func noSwitchEndsInATrap() throws {
        #expect(Self.trapping(try Repository.swift(in: "Sources")) == [])
    }

    @Test func aSwitchThatEndsInATrapIsFound() {
        let lines = Line.all(
            of: """
                default: preconditionFailure("no")
                default:
                    fatalError()
                default:
                    return nil
                """, at: "Sources/Wing/One/A.swift")
        #expect(Self.trapping(lines) == [lines[0], lines[1]])
    }

    /// The trap may stand in the next line.
    private static func trapping(_ lines: [Line]) -> [Line] {
        func traps(_ line: Line) -> Bool {
            ["preconditionFailure(", "fatalError("].contains { line.code.contains($0) }
        }
        return zip(lines, lines.dropFirst()).filter { line, next in
            line.code.contains("default:")
                && (traps(line) || line.code.hasSuffix("default:") && traps(next))
        }.map(\.0)
    }

    // MARK: The tree

    @Test func nobodyHasToReadTooMuchAtATime() throws {
        let code = try Repository.swift(in: "Sources")
        #expect(Size.ofModules(code).filter { $0.value > 4_500 } == [:])
        #expect(Size.ofTypes(code).filter { $0.value > 900 } == [:])
    }

    @Test func howLargeThingsAreIsCounted() {
        let code =
            Line.all(of: "struct A {\n    var b = 1\n}\n", at: "Sources/Wing/One/A.swift")
            + Line.all(
                of: "@frozen public enum B {}\nextension A {\n}\n", at: "Sources/Wing/One/B.swift")
        #expect(Size.ofModules(code) == ["One": 6])
        #expect(Size.ofTypes(code) == ["One.A": 5, "One.B": 1])
    }

    /// Whoever changes a module finds its tests by its name; C is tested through who imports it.
    @Test func eachModuleOfSourcesHasItsFolderOfTests() throws {
        let modules = try Self.modules(Repository.swift(in: "Sources"))
        let tested = try Repository.swift(in: "Tests").filter { $0.code.contains("@Test") }
        #expect(Self.untested(modules, tested.map(\.path)) == [])
    }

    @Test func aModuleWithoutTestsIsFound() {
        let code =
            Line.all(of: "struct A {}", at: "Sources/Wing/One/A.swift")
            + Line.all(of: "run()", at: "Sources/Wing/one/main.swift")
            + Line.all(of: "@main\nstruct B {}", at: "Sources/Wing/two/B.swift")
            + Line.all(of: "struct C {}", at: "Sources/Wing/Three/C.swift")
        #expect(Self.modules(code) == ["One", "Three"])
        #expect(
            Self.untested(["One", "Three"], ["Tests/Wing/One/It.swift", "Tests/Tidy/It.swift"])
                == ["Three"])
    }

    /// The modules in Swift that are no program.
    private static func modules(_ sources: [Line]) -> [String] {
        let programs = sources.filter {
            $0.code.contains("@main") || $0.path.hasSuffix("/main.swift")
        }
        return Set(sources.map(\.module)).subtracting(programs.map(\.module)).sorted()
    }

    private static func untested(_ modules: [String], _ files: [String]) -> [String] {
        modules.filter { module in !files.contains { $0.contains("/\(module)/") } }
    }

    /// They are slow, and see what the program prints; what it does is seen without it.
    @Test func testsThatStartTheProgramStandTogether() throws {
        let code = try Repository.swift(in: "Tests").filter {
            !["Tests/Support/", "Tests/Tool/anechoic/", "Tests/Tidy/"].contains(
                where: $0.path.hasPrefix)
        }
        #expect(Self.startingTheProgram(code) == [])
    }

    @Test func aTestThatStartsTheProgramIsFound() {
        let lines = Line.all(
            of: "try Command.run(\"run\")\nlet it = Command.executables\nCommand(words)",
            at: "Tests/Runs/Reports/It.swift")
        #expect(Self.startingTheProgram(lines) == [lines[0], lines[2]])
    }

    private static func startingTheProgram(_ code: [Line]) -> [Line] {
        let pattern = /(^|[^.\w])Command(\.run)?\(/
        return code.filter { $0.code.contains("Command") && $0.code.contains(pattern) }
    }

    @Test func noFileNamesAPlaceOnOneMachine() throws {
        let folders = Repository.folders
        let files = try Repository.topEntries().filter {
            !$0.hasPrefix(".") && !folders.contains($0)
        }
        let texts =
            try files.flatMap(Repository.lines(of:))
            + folders.flatMap { try Repository.lines(under: $0) }
        #expect(Self.naming(aPlaceIn: texts) == [])
    }

    @Test func aPlaceOnOneMachineIsFound() {
        let lines = Line.all(of: "cd /\("root")/anechoic\ncd Sources", at: "Scripts/it")
        #expect(Self.naming(aPlaceIn: lines) == [lines[0]])
    }

    private static func naming(aPlaceIn lines: [Line]) -> [Line] {
        // Put together here, so that this file does not name them either.
        let places = ["root", "home", "work", "Users"].map { "/\($0)/" } + [".." + "/shared"]
        return lines.filter { line in places.contains { line.text.contains($0) } }
    }

    @Test func theTopFolderHoldsNothingUnexpected() throws {
        let known =
            Repository.folders + [
                "ARCHITECTURE.md", "CONTRIBUTING.md", "LICENSE", "Package.swift", "README.md",
            ]
        let found = try Repository.topEntries().filter { !known.contains($0) && !$0.hasPrefix(".") }
        #expect(found == [])
    }
}
