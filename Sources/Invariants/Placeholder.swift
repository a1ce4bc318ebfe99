// The first line of Invariants.
