import Foundation

/// Whether what takes hours is played: `Scripts/test --night` sets `ANECHOIC_NIGHT`.
package let isNight = ProcessInfo.processInfo.environment["ANECHOIC_NIGHT"] != nil
