/// What the fuzzer's C side holds between two inputs.
private final class Held {
    let play: FuzzTarget.Player

    init(_ play: @escaping FuzzTarget.Player) { self.play = play }
}

extension FuzzTarget {
    /// Gets a target ready for C; nil where there is none of this name.
    ///
    /// What it returns belongs to the caller for the rest of the process.
    package static func open(
        _ name: UnsafePointer<CChar>, among targets: [FuzzTarget]
    ) -> UnsafeMutableRawPointer? {
        let name = String(cString: name)
        guard let target = targets.first(where: { $0.name == name }) else { return nil }
        return Unmanaged.passRetained(Held(target.makePlayer())).toOpaque()
    }
}

/// Gets a target of bytes ready.
@_cdecl("anechoic_fuzz_open_bytes")
public func openBytes(_ name: UnsafePointer<CChar>) -> UnsafeMutableRawPointer? {
    FuzzTarget.open(name, among: FuzzTarget.bytes)
}

/// Plays one input.
@_cdecl("anechoic_fuzz_play")
public func play(
    _ player: UnsafeMutableRawPointer, _ bytes: UnsafeRawPointer?, _ count: Int
) {
    let held = Unmanaged<Held>.fromOpaque(player).takeUnretainedValue()
    held.play(UnsafeRawBufferPointer(start: bytes, count: count))
}
