#ifndef ANECHOIC_CTIMEANDCHANCE_H
#define ANECHOIC_CTIMEANDCHANCE_H

// Linking this module is all there is to do. In a device's turn the C library then tells virtual time and draws
// from the run's seed, for all that is linked into the program: Swift's clocks and generators, Foundation's dates
// and identifiers. Outside a turn it does what it always does.

#endif
