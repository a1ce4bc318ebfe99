@_exported public import AppleExports
