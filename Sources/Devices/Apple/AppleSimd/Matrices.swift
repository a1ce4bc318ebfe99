/// A matrix of four columns.
public struct simd_float4x4: Hashable, Sendable {
    public var columns: (simd_float4, simd_float4, simd_float4, simd_float4)

    /// All zero.
    public init() { self.init([], [], [], []) }

    public init(
        _ first: simd_float4, _ second: simd_float4, _ third: simd_float4, _ fourth: simd_float4
    ) {
        columns = (first, second, third, fourth)
    }

    public init(columns: (simd_float4, simd_float4, simd_float4, simd_float4)) {
        self.columns = columns
    }

    public init(_ columns: [simd_float4]) {
        self.init(columns[0], columns[1], columns[2], columns[3])
    }

    /// One number in the diagonal.
    public init(_ scalar: Float) { self.init(diagonal: simd_float4(repeating: scalar)) }

    public init(diagonal: simd_float4) {
        self.init(
            [diagonal.x, 0, 0, 0], [0, diagonal.y, 0, 0], [0, 0, diagonal.z, 0],
            [0, 0, 0, diagonal.w])
    }

    private var all: [simd_float4] { [columns.0, columns.1, columns.2, columns.3] }

    /// A column.
    public subscript(column: Int) -> simd_float4 {
        get { all[column] }
        set {
            var all = all
            all[column] = newValue
            self = simd_float4x4(all)
        }
    }

    /// A number, by column and row.
    public subscript(column: Int, row: Int) -> Float {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    /// Rows become columns.
    public var transpose: simd_float4x4 {
        simd_float4x4((0..<4).map { row in simd_float4((0..<4).map { self[$0][row] }) })
    }

    public static func * (matrix: simd_float4x4, vector: simd_float4) -> simd_float4 {
        let products = (0..<4).map { matrix[$0] * vector[$0] }
        return products.dropFirst().reduce(products[0], +)
    }

    public static func * (left: simd_float4x4, right: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(right.all.map { left * $0 })
    }

    public static func == (left: simd_float4x4, right: simd_float4x4) -> Bool {
        left.all == right.all
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(all) }
}

public typealias float4x4 = simd_float4x4
public typealias matrix_float4x4 = simd_float4x4
/// One in the diagonal.
public let matrix_identity_float4x4 = simd_float4x4(1)

public func simd_mul(_ left: simd_float4x4, _ right: simd_float4x4) -> simd_float4x4 {
    left * right
}
public func simd_mul(_ matrix: simd_float4x4, _ vector: simd_float4) -> simd_float4 {
    matrix * vector
}
