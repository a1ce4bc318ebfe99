import AppleSimd
import Testing

/// The arithmetic of directions and transforms.
struct VectorTests {
    @Test func lengthsAndDirections() {
        let vector: simd_float3 = [0, 3, 4]
        #expect(simd_length(vector) == 5 && length(simd_normalize(vector)) == 1)
        #expect(simd_distance(vector, [0, 0, 0]) == 5 && simd_dot(vector, [1, 1, 1]) == 7)
        #expect(simd_cross([1, 0, 0], [0, 1, 0]) == [0, 0, 1])
        #expect(simd_make_float3(simd_make_float4(vector, 1)) == vector)
    }

    @Test func aTransformMovesAPoint() {
        var matrix = matrix_identity_float4x4
        matrix.columns.3 = [1, 2, 3, 1]
        #expect(matrix * simd_float4(0, 0, 0, 1) == [1, 2, 3, 1])
        #expect(simd_mul(matrix, matrix).columns.3 == [2, 4, 6, 1])
        #expect(matrix.transpose[3, 0] == 0 && matrix.transpose[0, 3] == 1)
        #expect(matrix[3][2] == 3 && matrix != simd_float4x4(1))
    }
}
