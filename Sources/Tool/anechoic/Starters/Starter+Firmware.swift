import CFiles
import Campaigns

extension Starter {
    /// A language that firmware begins in.
    enum Language: String, CaseIterable, Sendable {
        case c, python, swift
    }

    /// Firmware of this name: its source, how it is built, a topology, and in C and Python what a server needs.
    ///
    /// In C and Python it is a whole accessory, in Swift a device that advertises. `library` is the folder with the
    /// library of that language.
    ///
    /// - Throws: `WrongUse` where a program cannot have the name, or the library is not in that folder.
    static func firmware(
        named name: String, in language: Language, library: String
    ) throws(WrongUse) -> Starter {
        switch language {
        case .c:
            let names = try StarterNames(
                name, in: library, with: "include/anechoic.h", otherwise: "the library for C",
                after: "--library")
            return Starter(
                files: [
                    names.file("\(name).c", firmware_c_txt()),
                    names.file("Makefile", Makefile_txt()),
                    names.file("Topologies/\(name).yaml", firmware_yaml_txt()),
                    File(path: ".gitignore", text: "\(name)\nout/\nsoak/\n"),
                ]
                    + names.jobs(
                        build: "make", subject: "--accessory ./\(name)",
                        pics: accessory_pics_yaml_txt()))
        case .python:
            var names = try StarterNames(
                name, in: library, with: "anechoic/accessory.py",
                otherwise: "the package for Python", after: "--library")
            names.program = "\(name).py"
            return Starter(
                files: [
                    names.file(names.program, firmware_py_txt()),
                    names.file("Topologies/\(name).yaml", firmware_yaml_txt()),
                    File(path: ".gitignore", text: "__pycache__/\nout/\nsoak/\n"),
                ]
                    + names.jobs(
                        build: "python3 -m py_compile \(name).py",
                        subject: "--accessory ./\(name).py",
                        pics: accessory_pics_yaml_txt()))
        case .swift:
            var names = try StarterNames(
                name, in: library, with: "Sources/Devices/DeviceKit",
                otherwise: "the package anechoic",
                after: "--library")
            names.program = ".build/debug/\(name)"
            return Starter(files: [
                names.file("Package.swift", manifest_swift_txt()),
                names.file("Sources/\(name)/main.swift", device_swift_txt()),
                names.file("Topologies/\(name).yaml", device_yaml_txt()),
                File(path: ".gitignore", text: ".build/\nout/\n"),
            ])
        }
    }
}
