// The first line of Simulation.
