#define FUZZ_OPEN anechoic_fuzz_open_any
#include "../fuzzer.h"
