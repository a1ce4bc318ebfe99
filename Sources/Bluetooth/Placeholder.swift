// The first line of Bluetooth.
