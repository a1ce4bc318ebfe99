@_exported public import AppleLog
