import CFiles

extension StarterNames {
    /// What a server needs to play a gate with every change, and a soak every night.
    ///
    /// - Parameters:
    ///   - build: The shell line that builds the program.
    ///   - subject: The option that names the program, and its path from the package's folder.
    ///   - pics: The text of what it claims.
    ///   - cachesBuild: Whether what was built is worth being kept for the next job.
    /// - Returns: Their files.
    func jobs(
        build: String, subject: String, pics: UnsafePointer<CChar>, cachesBuild: Bool = false
    ) -> [Starter.File] {
        [
            ("\(name).pics.yaml", pics),
            ("known-failures.yaml", known_failures_yaml_txt()),
            (".github/workflows/conformance.yml", gate_yml_txt()),
            (".github/workflows/nightly.yml", nightly_yml_txt()),
            (".gitlab-ci.yml", gitlab_yml_txt()),
        ].map { path, text in
            let text = String(cString: text)
                .replacing("BUILD", with: build).replacing("SUBJECT", with: subject)
                .replacing(cachesBuild ? #/(?m)^CACHE\|/# : #/(?m)^CACHE\|.*\n/#, with: "")
            return file(path, text)
        }
    }
}
