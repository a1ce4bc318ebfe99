// The first line of AccessoryProtocol.
