// The first line of AccessoryFirmware.
