public typealias simd_float2 = SIMD2<Float>
public typealias simd_float3 = SIMD3<Float>
public typealias simd_float4 = SIMD4<Float>
public typealias simd_double2 = SIMD2<Double>
public typealias simd_double3 = SIMD3<Double>
public typealias simd_double4 = SIMD4<Double>
public typealias float2 = SIMD2<Float>
public typealias float3 = SIMD3<Float>
public typealias float4 = SIMD4<Float>
public typealias vector_float2 = SIMD2<Float>
public typealias vector_float3 = SIMD3<Float>
public typealias vector_float4 = SIMD4<Float>

public func simd_make_float2(_ x: Float, _ y: Float) -> simd_float2 { [x, y] }
public func simd_make_float3(_ x: Float, _ y: Float, _ z: Float) -> simd_float3 { [x, y, z] }
/// The first three of four.
public func simd_make_float3(_ vector: simd_float4) -> simd_float3 {
    [vector.x, vector.y, vector.z]
}
public func simd_make_float4(_ x: Float, _ y: Float, _ z: Float, _ w: Float) -> simd_float4 {
    [x, y, z, w]
}
public func simd_make_float4(_ vector: simd_float3, _ w: Float) -> simd_float4 {
    simd_float4(vector, w)
}

/// The sum of the products of what stands in the same place.
public func dot<Vector: SIMD>(_ left: Vector, _ right: Vector) -> Vector.Scalar
where Vector.Scalar: FloatingPoint {
    (left * right).sum()
}
public func length<Vector: SIMD>(_ vector: Vector) -> Vector.Scalar
where Vector.Scalar: FloatingPoint {
    dot(vector, vector).squareRoot()
}
public func length_squared<Vector: SIMD>(_ vector: Vector) -> Vector.Scalar
where Vector.Scalar: FloatingPoint {
    dot(vector, vector)
}
public func distance<Vector: SIMD>(_ left: Vector, _ right: Vector) -> Vector.Scalar
where Vector.Scalar: FloatingPoint {
    length(left - right)
}
public func normalize<Vector: SIMD>(_ vector: Vector) -> Vector
where Vector.Scalar: FloatingPoint {
    vector / length(vector)
}
public func cross(_ left: simd_float3, _ right: simd_float3) -> simd_float3 {
    [
        left.y * right.z - left.z * right.y, left.z * right.x - left.x * right.z,
        left.x * right.y - left.y * right.x,
    ]
}
public func mix(_ left: simd_float3, _ right: simd_float3, t: Float) -> simd_float3 {
    left + (right - left) * t
}
public func clamp<Number: Comparable>(_ number: Number, min: Number, max: Number) -> Number {
    Swift.min(Swift.max(number, min), max)
}

public func simd_dot(_ left: simd_float3, _ right: simd_float3) -> Float { dot(left, right) }
public func simd_length(_ vector: simd_float2) -> Float { length(vector) }
public func simd_length(_ vector: simd_float3) -> Float { length(vector) }
public func simd_length_squared(_ vector: simd_float3) -> Float { length_squared(vector) }
public func simd_distance(_ left: simd_float3, _ right: simd_float3) -> Float {
    distance(left, right)
}
public func simd_normalize(_ vector: simd_float2) -> simd_float2 { normalize(vector) }
public func simd_normalize(_ vector: simd_float3) -> simd_float3 { normalize(vector) }
public func simd_cross(_ left: simd_float3, _ right: simd_float3) -> simd_float3 {
    cross(left, right)
}
