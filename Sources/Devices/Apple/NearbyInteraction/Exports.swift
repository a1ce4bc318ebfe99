@_exported public import AppleExports
@_exported public import AppleSimd
