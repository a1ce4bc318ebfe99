import Basics
import Testing

struct SmallMapTests {
    /// Few keys are compared, many are looked up; nobody sees the difference.
    @Test(arguments: [3, 8, 9, 40])
    func itIsADictionary(count: Int) {
        var map: SmallMap<Int, Int> = [:]
        for key in 0..<count { map.set(key, to: key * key) }
        map.set(1, to: -1)
        #expect(map[1] == -1 && map[count - 1] == (count - 1) * (count - 1))
        map[0] = nil
        #expect(map[0] == nil && map.count == count - 1)
        map.removeAll { $0.key.isMultiple(of: 2) }
        #expect(map.keys.sorted() == Array(stride(from: 1, to: count, by: 2)))
        map[7, default: 0] += 1
        #expect(map[7] == (count > 7 ? 50 : 1))
        map.removeAll()
        #expect(map.isEmpty)
    }
}
