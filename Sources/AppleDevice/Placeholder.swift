// The first line of AppleDevice.
