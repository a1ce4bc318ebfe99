extension Catalogue {
    package static let accessoryParameters = AccessoryParameter.allCases.map {
        Parameter($0, standard: $0.standardText)
    }

    package static let accessoryDefects = AccessoryDefect.allCases.map {
        Term($0.rawValue, $0.explanation)
    }
}
