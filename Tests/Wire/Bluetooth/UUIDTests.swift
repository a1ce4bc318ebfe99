import Bluetooth
import Testing

@Suite struct UUIDTests {
    @Test func bothFormsOfAnAssignedNumberAreEqual() {
        let short: BluetoothUUID = 0x2902
        let long: BluetoothUUID = "00002902-0000-1000-8000-00805F9B34FB"
        #expect(short == long)
        #expect(short.hashValue == long.hashValue)
        #expect(long.short == 0x2902)
        #expect(long.bytes == [0x02, 0x29])
        #expect(
            short.longBytes == [
                0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00, 0x02, 0x29,
                0x00, 0x00,
            ])
        #expect(
            BluetoothUUID(littleEndian: short.longBytes) == BluetoothUUID(littleEndian: [2, 0x29]))
    }

    @Test func theLongFormTravelsBackwards() {
        let uuid: BluetoothUUID = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
        #expect(
            uuid.bytes == [
                0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, 0x01, 0x00,
                0x40, 0x6E,
            ])
        #expect(uuid.short == nil)
        #expect(BluetoothUUID(littleEndian: uuid.bytes) == uuid)
    }

    @Test func theTextIsTheShortestInUpperCase() {
        #expect("\(BluetoothUUID(0x180F))" == "180F")
        #expect("\(BluetoothUUID(0x000A))" == "000A")
        let text = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
        #expect(BluetoothUUID(text)?.description == text)
        #expect(BluetoothUUID(text.lowercased())?.description == text)
    }

    @Test(arguments: [
        "", "290", "29022", "2902-", "+902", "290g", "6E400001B5A3F393E0A9E50E24DCCA9E",
        "6E400001-B5A3-F393-E0A9-E50E24DCCA9", "6E400001-B5A3-F393-E0A9E50E-24DCCA9E",
    ])
    func otherTextIsNoUUID(_ text: String) { #expect(BluetoothUUID(text) == nil) }

    @Test func otherLengthsAreNoUUID() {
        for count in 0...17 where count != 2 && count != 16 {
            #expect(BluetoothUUID(littleEndian: Array(repeating: 0, count: count)) == nil)
        }
    }
}
