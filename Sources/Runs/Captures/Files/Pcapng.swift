/// The numbers of pcapng (draft-ietf-opsawg-pcapng) that are written and read here.
enum Pcapng {
    enum Block {
        static let section: UInt32 = 0x0A0D_0D0A
        static let interface: UInt32 = 1
        static let simplePacket: UInt32 = 3
        static let enhancedPacket: UInt32 = 6
    }

    enum Option {
        static let end: UInt16 = 0
        static let comment: UInt16 = 1
        // Of a section.
        static let application: UInt16 = 4
        // Of an interface.
        static let name: UInt16 = 2
        static let description: UInt16 = 3
        static let address: UInt16 = 6
        static let resolution: UInt16 = 9
        static let offset: UInt16 = 14
        // Of a packet.
        static let flags: UInt16 = 2
    }

    /// What the first word of a section tells of its order of bytes.
    static let byteOrderMagic: UInt32 = 0x1A2B_3C4D
    /// The length of a section that is not known when it begins.
    static let unknownLength = UInt64.max
    /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR.
    static let linkType: UInt16 = 201
    /// LINKTYPE_FIRA_UCI: a UCI control packet from its header on.
    static let uciLinkType: UInt16 = 299
    /// A block's type and both of its lengths.
    static let frame = 12

    /// So many bytes are filled up with zeros to whole words.
    static func padded(_ count: Int) -> Int { (count + 3) / 4 * 4 }
}
