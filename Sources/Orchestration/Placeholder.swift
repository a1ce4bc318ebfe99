// The first line of Orchestration.
