/// What the fuzzer's C side holds between two inputs.
private final class Player {
    let play: FuzzTarget.Player

    init(_ play: @escaping FuzzTarget.Player) { self.play = play }
}

/// Gets the target of this name ready; nil where there is none.
///
/// What it returns belongs to the caller for the rest of the process.
@_cdecl("anechoic_fuzz_open")
public func open(_ name: UnsafePointer<CChar>) -> UnsafeMutableRawPointer? {
    guard let target = FuzzTarget.named(String(cString: name)) else { return nil }
    return Unmanaged.passRetained(Player(target.makePlayer())).toOpaque()
}

/// Plays one input.
@_cdecl("anechoic_fuzz_play")
public func play(
    _ player: UnsafeMutableRawPointer, _ bytes: UnsafeRawPointer?, _ count: Int
) {
    let player = Unmanaged<Player>.fromOpaque(player).takeUnretainedValue()
    player.play(UnsafeRawBufferPointer(start: bytes, count: count))
}
