import Foundation

/// The sentence for the user about an error, whoever threw it.
///
/// Our own errors are sentences; Foundation's are made into one here, and nowhere else.
package func sentence(for error: any Error) -> String {
    switch error {
    case let error as DecodingError: "not the JSON that was expected: \(error.sentence)"
    case let error as CocoaError: sentence(error as NSError)
    case let error where type(of: error) is NSError.Type: sentence(error as NSError)
    default: "\(error)"
    }
}

private func sentence(_ error: NSError) -> String {
    let path = (error.userInfo[NSFilePathErrorKey] as? String).map { "\($0): " } ?? ""
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
    guard let cause, cause.domain == NSPOSIXErrorDomain else {
        return path + error.localizedDescription
    }
    return path + String(cString: strerror(Int32(cause.code)))
}
