import Basics
import Testing

struct QueueTests {
    @Test func aQueueThatIsNeverEmptyKeepsToItsSize() {
        var queue = Queue<Int>()
        for number in 0..<3 { queue.append(number) }
        for number in 0..<10_000 {
            queue.append(number + 3)
            #expect(queue.takeFirst() == number)
        }
        #expect(queue.indices.count == 3)
        #expect(queue.indices.upperBound < 300)
    }
}
