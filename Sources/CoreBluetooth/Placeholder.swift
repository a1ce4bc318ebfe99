// The first line of CoreBluetooth.
