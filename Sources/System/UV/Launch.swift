import CUV
import Glibc

/// All that decides how a child process starts; nothing is taken over from us unsaid.
package struct Launch {
    /// Where one of the child's descriptors comes from.
    package enum Source {
        /// Nowhere: 0, 1 and 2 are `/dev/null`, higher ones closed.
        case nothing
        /// The child gets it for itself: ours is closed after the start, also where that failed.
        case given(Descriptor)
        /// Both have it, as with our own standard error; it stays open here.
        case shared(Int32)
    }

    /// The program's path; one without a slash is looked up in the `PATH` of ``environment``.
    ///
    /// A relative path counts from ``directory``.
    package var executable: String
    package var arguments: [String]
    /// The child's whole environment; it is passed sorted by name.
    package var environment: [String: String]
    /// The child's working folder; nil for ours.
    package var directory: String?
    /// The child's descriptors by number: the first is its standard input.
    package var descriptors: [Source]
    /// Whether it leads a session of its own, which Ctrl-C in our terminal does not reach.
    package var isDetached: Bool
    /// Whether processes that it leaves behind are ended with it, and not only with the loop.
    ///
    /// It costs a look at every process there is.
    package var leavesOrphans = false

    /// A detached start with an empty environment and no descriptors, except where said otherwise.
    package init(
        _ executable: String, arguments: [String] = [], environment: [String: String] = [:],
        directory: String? = nil, descriptors: [Source] = [], isDetached: Bool = true
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
        self.descriptors = descriptors
        self.isDetached = isDetached
    }
}

extension Launch {
    /// The descriptors as libuv wants them.
    ///
    /// - Throws: what makes a start impossible before libuv is asked.
    func containers() throws(UVError) -> [uv_stdio_container_t] {
        // A zero byte would end a C string early and start something else than was asked for.
        let words = [executable, directory ?? ""] + arguments + environment.flatMap { [$0, $1] }
        if let word = words.first(where: { $0.utf8.contains(0) }) {
            throw UVError(.invalidArgument, in: "uv_spawn", about: word)
        }
        return try descriptors.map { source throws(UVError) in try source.container() }
    }

    /// Starts the process in `memory`, which libuv has to close even where this fails.
    func spawn(
        on loop: Loop, into memory: UnsafeMutablePointer<uv_process_t>,
        containers: [uv_stdio_container_t], onExit: @escaping uv_exit_cb
    ) -> Int32 {
        var containers = containers
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return withCStrings(of: [executable] + arguments) { arguments in
            withCStrings(of: variables) { variables in
                containers.withUnsafeMutableBufferPointer { containers in
                    var options = uv_process_options_t()
                    options.exit_cb = onExit
                    options.file = UnsafePointer(arguments[0])
                    options.args = arguments
                    options.env = variables
                    options.flags = isDetached ? UV_PROCESS_DETACHED.rawValue : 0
                    options.stdio_count = Int32(containers.count)
                    options.stdio = containers.baseAddress
                    return spawn(on: loop, into: memory, with: &options)
                }
            }
        }
    }

    /// What a failed start is about: the folder, where that is what is missing.
    var culprit: String {
        guard let directory, access(directory, X_OK) != 0 else { return executable }
        return directory
    }

    /// Closes what the child got for itself.
    func closeGiven() {
        for case .given(let descriptor) in descriptors { descriptor.close() }
    }

    private func spawn(
        on loop: Loop, into memory: UnsafeMutablePointer<uv_process_t>,
        with options: inout uv_process_options_t
    ) -> Int32 {
        guard let directory else { return uv_spawn(loop.raw, memory, &options) }
        return directory.withCString { directory in
            options.cwd = directory
            return uv_spawn(loop.raw, memory, &options)
        }
    }
}

extension Launch.Source {
    fileprivate func container() throws(UVError) -> uv_stdio_container_t {
        var container = uv_stdio_container_t()
        switch self {
        case .nothing:
            container.flags = UV_IGNORE
        case .shared(let number):
            container.flags = UV_INHERIT_FD
            container.data.fd = number
        case .given(let descriptor):
            guard let number = descriptor.number else {
                throw UVError(.badDescriptor, in: "uv_spawn")
            }
            container.flags = UV_INHERIT_FD
            container.data.fd = number
        }
        return container
    }
}

/// Lends `strings` as C wants them: an array of pointers with a null pointer behind the last.
private func withCStrings<Value>(
    of strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Value
) -> Value {
    let array = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
        capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { (array + index).initialize(to: strdup(string)) }
    (array + strings.count).initialize(to: nil)
    defer {
        for index in strings.indices { free(array[index]) }
        array.deallocate()
    }
    return body(array)
}
