import Artifacts
import DeviceLink
import Foundation
import PromiseLibrary
import Scenarios
import TestSupport
import Testing
import Topologies
import Traces
import Vocabulary

/// The topologies that ship.
struct ShippedTests {
    @Test func eachIsShortAndSaysWhatItIsAboutAndExpects() throws {
        for file in try TopologyFile.find(in: topologies) {
            let text = try String(contentsOfFile: file.path, encoding: .utf8)
            #expect(text.split(separator: "\n").count <= 25, "\(file.name)")
            let read = try file.load()
            #expect(read.about.count > 20 && read.about.hasSuffix("."), "\(file.name)")
            #expect(!read.expectations.isEmpty || !read.mustViolate.isEmpty, "\(file.name)")
        }
    }

    @Test func theHallHas16PhonesWithThreeAccessoriesEach() throws {
        let hall = try Topology.load(topologies + "/scale/hall.yaml")
        #expect(hall.devicesByKind == "16 Apple devices, 48 accessories")
        #expect(hall.devices[0].parameters == [Pair("peers", "tag-1,tag-2,tag-3")])
        #expect(hall.devices[15].parameters == [Pair("peers", "tag-46,tag-47,tag-48")])
        #expect(Set(hall.devices.map { "\($0.position)" }).count == 64, "nobody stands in another")
    }

    @Test func everyPromiseIsBrokenByTheDefectThatTheFileIsNamedAfter() throws {
        var broken: [String] = []
        for file in try TopologyFile.find(in: topologies + "/defects") {
            let read = try file.load()
            #expect(read.devices.flatMap(\.defects).contains { file.name.hasPrefix($0) })
            #expect(!read.mustViolate.isEmpty)
            broken += read.mustViolate
        }
        // What these two are about does not exist yet, so nothing can put them to the test.
        let waiting = ["one-extended-session", "one-shared-camera"]
        #expect(Set(broken + waiting) == Set(PropertyLibrary.promiseNames))
    }

    /// One crashes its device, which is no promise's matter; the others cost an attempt or a link, or
    /// take a second bug to show.
    @Test func everyDefectHasATopologyButThoseThatBreakNoPromise() throws {
        let played = try TopologyFile.find(in: topologies + "/defects").map(\.name)
        let defects = Catalogue.defects(of: .appleDevice) + Catalogue.defects(of: .accessory)
        #expect(
            defects.map(\.name).filter { !played.contains($0) } == [
                "crashes-on-unknown-message", "replayed-start",
            ])
    }
}

/// What the catalogue says, held against the reader.
struct ShippedCatalogueTests {
    @Test func everyVerbCanBeWritten() throws {
        for form in VerbForm.all {
            let target =
                switch form.target {
                case .pair: "[ben, lock]"
                case .device: "lock"
                case .command(let kinds): kinds.contains(.appleDevice) ? "ben" : "mine"
                }
            let settings = form.required.map {
                ", \($0): \(Self.example(of: $0, for: form.name.rawValue))"
            }
            let read = try topology(
                """
                devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}, mine: {run: ./firmware}}
                steps: [{at: 1s, \(form.name.rawValue): \(target)\(settings.joined())}]
                """)
            #expect(
                read.steps.map(\.text) == ["\(form.name.rawValue): \(target)\(settings.joined())"])
        }
    }

    private static func example(of setting: String, for verb: String) -> String {
        switch (setting, verb) {
        case ("ratio", _): "1/2"
        case ("by", "delay"), ("by", "busy"): "1ms"
        case ("to", "move"): "[0, 1m]"
        case ("to", "turn"): "90deg"
        case ("to", "rotate"): "landscape"
        case ("name", _): "open"
        default: "3"
        }
    }

    /// Each verb is swept, or ends what another one began, or is one of those that disturb nothing, or nothing that a
    /// swept one does not.
    @Test func theSweepHasEveryVerbThatMakesSense() {
        let swept = VerbForm.all.filter { !$0.sweep.isEmpty }.map(\.name)
        let ending = VerbForm.all.compactMap(\.undo)
        let others: [VerbName] = [
            .allow, .start, .command, .bluetoothReset, .jetsam, .forgetBond, .changeAddress,
            .deleteApp, .findMy, .turn, .rotate, .light,
        ]
        #expect(Set(swept).isDisjoint(with: ending + others))
        #expect(Set(swept + ending + others) == Set(VerbName.allCases))
        let kinds = VerbForm.all.flatMap(\.sweep).map(\.kind)
        #expect(Set(kinds).count == kinds.count)
    }

    @Test func whatForEndsIsUndoneByTheVerbThatTheTableNames() throws {
        for form in VerbForm.all where form.following != nil {
            let target =
                switch form.target {
                case .pair: "[ben, lock]"
                case .device: "lock"
                case .command: "ben"
                }
            let steps = try topology(
                phoneAndLock("steps: [{at: 1s, \(form.name.rawValue): \(target), for: 1s}]")
            ).steps
            #expect(steps.map(\.ends) == [nil, 0])
            #expect(steps[1].text == "\(form.following?.rawValue ?? ""): \(target)")
            #expect(steps[0].verb.isUndone(by: steps[1].verb))
        }
    }

    @Test func everyStandardValueCanBeWritten() throws {
        let programs = [
            (Catalogue.Kind.appleDevice, "model: iPhone 15"), (.accessory, "profile: qorvo"),
        ]
        for (kind, program) in programs {
            for parameter in Catalogue.parameters(of: kind) where !parameter.standard.contains(" ")
            {
                let read = try topology(
                    "devices: {it: {\(program), \(parameter.name): \(parameter.standard)}}")
                #expect(read.devices[0].parameters.map(\.name) == [parameter.name])
            }
        }
    }

    @Test func everyDefectCanBeWritten() throws {
        for (kind, program) in [
            (Catalogue.Kind.appleDevice, "model: iPhone 15"), (.accessory, "profile: multi"),
        ] {
            let names = Catalogue.defects(of: kind).map(\.name)
            let read = try topology(
                "devices: {it: {\(program), defects: [\(names.joined(separator: ", "))]}}")
            #expect(read.devices[0].defects == names)
        }
    }

    @Test func everyModelIsFoundByBothNames() {
        for model in Catalogue.models {
            #expect(Catalogue.model(named: model.name) == model)
            #expect(Catalogue.model(named: model.identifier) == model)
        }
    }

    @Test func everyKindOfEventHasFieldsOfItsOwn() {
        for kind in EventKind.allCases.map(\.rawValue) {
            let words = mistake(
                in: Array(phoneAndLock("expect: [never: \(kind) with nonsense = 1]").utf8))
            #expect(words.contains("error: `\(kind)` has no field `nonsense`"))
        }
    }
}
