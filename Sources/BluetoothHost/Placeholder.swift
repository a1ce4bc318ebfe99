// The first line of BluetoothHost.
