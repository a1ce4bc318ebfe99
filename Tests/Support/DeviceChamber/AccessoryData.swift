/// Accessory configuration data of a capture: version 1.1, initiator, user-interactive.
package func accessoryData(
    address: UInt8 = 0x42, version: [UInt8] = [1, 0, 1, 0], role: UInt8 = 1
) -> [UInt8] {
    let uwb: [UInt8] =
        version + [0x3F, 0xF5, 3, 0, 0xB8, 0x0B, 0, 0, 0, 0, 1, 1, role, address, 0, 25, 0]
    return [1, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 10) + [21] + uwb
}
