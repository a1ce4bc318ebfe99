extension String {
    /// Texts one behind the other, in memory that is taken once.
    ///
    /// To interpolate them takes several times as long, and names are made of others in every run.
    package init(
        joining first: String, _ second: String, _ third: String = "", _ fourth: String = ""
    ) {
        self = ""
        reserveCapacity(
            first.utf8.count + second.utf8.count + third.utf8.count + fourth.utf8.count)
        self += first
        self += second
        self += third
        self += fourth
    }
}
