// The first line of NearbyInteraction.
