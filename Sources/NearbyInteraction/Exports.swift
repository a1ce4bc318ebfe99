@_exported public import struct AppleFoundation.Date
@_exported public import enum AppleFoundation.DispatchQoS
// Code written for Apple's framework finds these types where it looks for them; they work in virtual
// time and win over Foundation's of the same name.
@_exported public import class AppleFoundation.DispatchQueue
@_exported public import struct AppleFoundation.DispatchTime
@_exported public import enum AppleFoundation.DispatchTimeInterval
@_exported public import class AppleFoundation.DispatchWorkItem
@_exported public import class AppleFoundation.NSNumber
@_exported public import typealias AppleFoundation.TimeInterval
@_exported public import class AppleFoundation.Timer
@_exported public import class AppleFoundation.UserDefaults
@_exported public import struct FoundationEssentials.Data
@_exported public import struct FoundationEssentials.UUID

/// A vector of three numbers, as in Apple's simd module.
public typealias simd_float3 = SIMD3<Float>
