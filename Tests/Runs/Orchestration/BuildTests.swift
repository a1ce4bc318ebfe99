import Foundation
import TestSupport
import Testing

@testable import Orchestration

/// What tells one build of a program from another.
struct BuildTests {
    /// An ELF file with one note.
    private func elf(_ note: [UInt8]) -> [UInt8] {
        var file = [UInt8](repeating: 0, count: 120)
        file.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
        (file[32], file[54], file[56]) = (64, 56, 1)
        (file[64], file[72], file[96]) = (4, 120, UInt8(note.count))
        return file + note
    }

    @Test func aLinkersNoteIsTheBuild() {
        let id: [UInt8] = [0xAB, 1, 2, 3]
        let note: [UInt8] = [4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0] + Array("GNU\0".utf8) + id
        #expect(elfBuildID(elf(note)) == id)
        let other: [UInt8] = [4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0] + Array("GNU\0".utf8) + id
        #expect(elfBuildID(elf(other + note)) == id)
        #expect(elfBuildID(elf(other)) == nil)
        #expect(elfBuildID(Array("#!/bin/sh".utf8)) == nil)
    }

    @Test func whateverAFileHoldsIsReadSafely() {
        var file = elf([4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0] + Array("GNU\0".utf8) + [1, 2, 3, 4])
        for cut in 0..<file.count { #expect(elfBuildID(Array(file[..<cut])) == nil) }
        for place in file.indices {
            for value: UInt8 in [0x7F, 0xFF] {
                let old = file[place]
                file[place] = value
                _ = elfBuildID(file)
                file[place] = old
            }
        }
    }
}
