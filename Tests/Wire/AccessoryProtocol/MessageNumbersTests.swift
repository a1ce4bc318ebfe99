import AccessoryProtocol
import Bluetooth
import Testing

/// `stop` takes the number that `initialize` has given up.
@Suite struct MessageNumbersTests {
    private let own = try? MessageNumbers([(.initialize, 0x82), (.stop, 0x0A)])

    @Test func aMessageBeginsWithTheNumberOfItsMaker() throws {
        let numbers = try #require(own)
        #expect(Message.initialize.bytes(by: numbers) == [0x82])
        #expect(Message.stop.bytes(by: numbers) == [0x0A])
        #expect(Message.configureAndStart([1]).bytes(by: numbers) == [0x0B, 1])
        #expect(try Message([0x82], by: numbers) == .initialize)
        #expect(try Message([0x0A], by: numbers) == .stop)
        #expect(throws: ProtocolError.unknownMessage(id: 0x0C)) { try Message([0x0C], by: numbers) }
    }

    @Test func twoMessagesCannotHaveOneNumber() {
        let clash = #expect(throws: MessageNumbers.Clash.self) {
            try MessageNumbers([(.stop, 0x0A)])
        }
        #expect(clash?.description == "initialize and stop would both have the number 10")
    }

    @Test func aServiceIsReadAsItIsWritten() throws {
        let service = MessageService(
            service: 0x1234, receive: 0x1235, transmit: 0x1236, numbers: try #require(own))
        #expect(service.description == "1234/1235/1236/initialize=130/stop=10")
        #expect(MessageService(service.description) == service)
    }

    @Test(arguments: ["/stop", "/stop=256", "/halt=1", "/stop=10", "/stop=1/", "/stop=1=2"])
    func numbersThatAreNoneAreRefused(_ text: String) {
        #expect(MessageService("1234/1235/1236" + text) == nil)
    }
}
