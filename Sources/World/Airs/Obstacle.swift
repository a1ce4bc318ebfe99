import Basics

/// What something between two devices does to both radios: a person, a door, a wall.
///
/// Nearby Interaction measures best in line of sight (Apple, *Initiating and maintaining a session*); neither Apple
/// nor a specification has figures. A signal of half the reach is 6 dB weaker, and the first pulse that is heard has
/// come around the obstacle or slowly through it, so a distance errs on the long side alone.
enum Obstacle {
    /// How much weaker a signal is behind it, in decibels.
    static let attenuation = 6
    /// The part of the ranging rounds within reach that miss.
    static let missed = Ratio(1, 4)
    /// How much longer than the straight line the way is that a round measures, in millimetres.
    static let detour: ClosedRange<UInt64> = 100...500

    /// How far a radio reaches behind it, in millimetres.
    static func reach(of range: Int64) -> Int64 { range / 2 }
}
