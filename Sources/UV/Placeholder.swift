// The first line of UV.
