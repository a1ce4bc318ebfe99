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
        build: String, subject: String, pics: [UInt8], cachesBuild: Bool = false
    ) -> [Starter.File] {
        [
            ("\(name).pics.yaml", pics),
            ("known-failures.yaml", PackageResources.known_failures_yaml_txt),
            (".github/workflows/conformance.yml", PackageResources.gate_yml_txt),
            (".github/workflows/nightly.yml", PackageResources.nightly_yml_txt),
            (".gitlab-ci.yml", PackageResources.gitlab_yml_txt),
        ].map { path, bytes in
            let text = String(decoding: bytes, as: UTF8.self)
                .replacing("BUILD", with: build).replacing("SUBJECT", with: subject)
                .replacing(cachesBuild ? #/(?m)^CACHE\|/# : #/(?m)^CACHE\|.*\n/#, with: "")
            return file(path, Array(text.utf8))
        }
    }
}
