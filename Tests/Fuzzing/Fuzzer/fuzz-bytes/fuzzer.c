// A program of its own, because the fuzzer looks at the counters of all code after each input, and for
// these targets that would be most of the time.
#define FUZZ_OPEN anechoic_fuzz_open_bytes
#include "../fuzzer.h"
