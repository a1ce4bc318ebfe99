import CMbedTLS

/// The hash by which a content security policy names a script, and a program is known again (FIPS 180-4, 6.2).
package enum SHA256 {
    package static func digest(of message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let code = mbedtls_md(
            mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), message, message.count, &digest)
        precondition(code == 0, "Mbed TLS was built without SHA-256")
        return digest
    }
}
