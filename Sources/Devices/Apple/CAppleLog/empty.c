// A target needs a source.
