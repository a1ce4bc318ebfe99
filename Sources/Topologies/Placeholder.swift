// The first line of Topologies.
