import CMbedTLS

/// The curve of LE Secure Connections (Core Specification Vol 3 Part H 2.3.5.6.1), by Mbed TLS.
///
/// The most significant byte is first.
enum P256 {
    /// A multiple of a point, or of the curve's generator; nil where the factor is no private key (32 bytes, from 1 to
    /// the order less 1), or the coordinates are those of no point on the curve.
    static func multiply(
        _ point: (x: [UInt8], y: [UInt8])?, by factor: [UInt8]
    ) -> (x: [UInt8], y: [UInt8])? {
        var curve = mbedtls_ecp_group()
        var number = mbedtls_mpi()
        var (base, product) = (mbedtls_ecp_point(), mbedtls_ecp_point())
        mbedtls_ecp_group_init(&curve)
        mbedtls_mpi_init(&number)
        mbedtls_ecp_point_init(&base)
        mbedtls_ecp_point_init(&product)
        defer {
            mbedtls_ecp_point_free(&product)
            mbedtls_ecp_point_free(&base)
            mbedtls_mpi_free(&number)
            mbedtls_ecp_group_free(&curve)
        }
        precondition(
            mbedtls_ecp_group_load(&curve, MBEDTLS_ECP_DP_SECP256R1) == 0, "Mbed TLS has no P-256")
        if let point {
            let bytes = [uncompressed] + point.x + point.y
            guard mbedtls_ecp_point_read_binary(&curve, &base, bytes, bytes.count) == 0,
                mbedtls_ecp_check_pubkey(&curve, &base) == 0
            else { return nil }
        } else {
            guard mbedtls_ecp_copy(&base, &curve.G) == 0 else { return nil }
        }
        var bytes = [UInt8](repeating: 0, count: 65)
        var length = 0
        guard factor.count == 32,
            mbedtls_mpi_read_binary(&number, factor, factor.count) == 0,
            mbedtls_ecp_check_privkey(&curve, &number) == 0,
            mbedtls_ecp_mul(&curve, &product, &number, &base, blind, nil) == 0,
            mbedtls_ecp_point_write_binary(
                &curve, &product, MBEDTLS_ECP_PF_UNCOMPRESSED, &length, &bytes, bytes.count) == 0
        else { return nil }
        return (Array(bytes[1..<33]), Array(bytes[33..<65]))
    }

    /// The first byte of a point that has both coordinates (SEC 1 2.3.3).
    private static let uncompressed: UInt8 = 4

    /// The bytes by which Mbed TLS hides a private key from whoever measures it: no result depends on them, and in a
    /// simulation there is nobody to hide from.
    private static let blind:
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int) -> Int32 = {
            _, bytes, count in
            bytes?.update(repeating: 0x55, count: count)
            return 0
        }
}
