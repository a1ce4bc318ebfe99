// What Apple's modules bring along. A name that is imported by itself wins over one of a whole module, so code that
// imports Foundation as well finds these, which work in virtual time.
@_exported public import AppleFoundation
@_exported public import class AppleFoundation.DispatchGroup
@_exported public import struct AppleFoundation.DispatchQoS
@_exported public import class AppleFoundation.DispatchQueue
@_exported public import class AppleFoundation.DispatchSemaphore
@_exported public import enum AppleFoundation.DispatchSource
@_exported public import protocol AppleFoundation.DispatchSourceTimer
@_exported public import struct AppleFoundation.DispatchTime
@_exported public import enum AppleFoundation.DispatchTimeInterval
@_exported public import struct AppleFoundation.DispatchWallTime
@_exported public import class AppleFoundation.DispatchWorkItem
@_exported public import enum AppleFoundation.NSKeyedArchiver
@_exported public import enum AppleFoundation.NSKeyedUnarchiver
@_exported public import class AppleFoundation.RunLoop
@_exported public import class AppleFoundation.Timer
@_exported public import class AppleFoundation.UserDefaults
