import Testing

@testable import DeviceLink

/// The vectors of the reference implementation's own sanity check: its buffer, its lengths and seeds, and
/// what xxhash for Python says of them.
struct XXH64Tests {
    private static let prime32: UInt64 = 2_654_435_761
    private static let prime64: UInt64 = 11_400_714_785_074_694_797

    private static let buffer: [UInt8] = sequence(first: prime32) { $0 &* prime64 }
        .prefix(222).map { UInt8($0 >> 56) }

    @Test(arguments: [
        (0, 0xEF46_DB37_51D8_E999, 0xAC75_FDA2_929B_17EF),
        (1, 0xE934_A84A_DB05_2768, 0x5014_6076_43A9_B4C3),
        (4, 0x9136_A0DC_A574_57EE, 0xCAAB_286B_D8E9_FDB5),
        (14, 0x8282_DCC4_994E_35C8, 0xC3BD_6BF6_3DEB_6DF0),
        (31, 0x299B_39A2_90E6_D783, 0xDA67_3D5F_EB5C_1D79),
        (32, 0x18B2_1649_2BB4_4B70, 0xB3F3_3BDF_93AD_E409),
        (33, 0x55C8_DC3E_578F_5B59, 0xE92C_292F_64BC_3071),
        (63, 0xA9EF_BE0F_A0F3_F4E7, 0x6C91_1FAD_B05B_6FC2),
        (64, 0xEF55_8F8A_CAC2_B5CD, 0xB5EE_BA99_264C_C44F),
        (101, 0xA51E_A210_1B2D_114C, 0x6B38_A5BB_BA1F_049C),
        (222, 0xB641_AE8C_B691_C174, 0x20CB_8AB7_AE10_C14A),
    ])
    func theVectorsOfTheReferenceImplementationAreKept(
        length: Int, plain: UInt64, seeded: UInt64
    ) {
        let bytes = Array(Self.buffer.prefix(length))
        #expect(XXH64.hash(bytes, seed: 0) == plain)
        #expect(XXH64.hash(bytes, seed: Self.prime32) == seeded)
    }

    @Test func aNumberIsItsEightBytesAndATextItsUTF8() {
        #expect(
            XXH64.hash(0x0807_0605_0403_0201, seed: 9)
                == XXH64.hash([1, 2, 3, 4, 5, 6, 7, 8], seed: 9))
        #expect(XXH64.hash("Zürich", seed: 9) == XXH64.hash(Array("Zürich".utf8), seed: 9))
    }

    @Test func valuesOfDifferentKindsAreDifferent() {
        let values: [Field.Value] = [
            .text("\u{1}\0\0\0\0\0\0\0"), .bytes([1, 0, 0, 0, 0, 0, 0, 0]), .number(1), .flag(true),
            .none,
            .number(0), .flag(false), .text(""), .bytes([]),
        ]
        #expect(Set(values.map { Keyed(0).with(value: $0) }).count == values.count)
    }
}
