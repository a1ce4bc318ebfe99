#include <mbedtls/aes.h>
#include <mbedtls/cmac.h>
#include <mbedtls/ecdh.h>
#include <mbedtls/ecp.h>
#include <mbedtls/md.h>
