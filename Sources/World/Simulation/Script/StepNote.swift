/// What became of a step of the script.
package struct StepNote: Equatable, Sendable {
    /// How often it was done.
    package internal(set) var fired = 0
    /// How often that hit something: a `disconnect` while no link is up does not, nor does the `kill` of a
    /// dead device, or a `garble` before a message that is never sent.
    package internal(set) var hits = 0
    /// How often its moment lay after the topology's length, where nothing is done any more.
    package internal(set) var late = 0
}
