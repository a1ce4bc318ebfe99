#ifndef ANECHOIC_CUV_SHIM_H
#define ANECHOIC_CUV_SHIM_H

#include <uv.h>

#endif
