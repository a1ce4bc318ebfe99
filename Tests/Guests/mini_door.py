"""A door of few lines: starts a guest, plays its turns in virtual time, and answers what it says over HCI."""

import array, atexit, ctypes, os, pathlib, shutil, signal, socket, struct, subprocess, tempfile, tty

HERE = pathlib.Path(__file__).parent
SOURCES = HERE.parent.parent / "Sources/Devices/Foreign/CGuest"
# Whoever runs the tests may have signals blocked, which guests would inherit.
signal.pthread_sigmask(signal.SIG_SETMASK, ())
BUILT = pathlib.Path(tempfile.mkdtemp(prefix="guests-"))
atexit.register(shutil.rmtree, BUILT)
LIBRARY = BUILT / "libanechoic-guest.so"
NEVER = 2**64 - 1
WAKE, FORK, REAP, TELL = 1, 2, 3, 4
HELLO, SNAPSHOT, BLOCKED, FORKED, NOTE, REAPED = 1, 2, 3, 4, 5, 6
RESET, COMPLETE = bytes([1, 3, 12, 0]), bytes([4, 14, 4, 1, 3, 12, 0])


def build():
    flags = "-O2 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden -pthread".split()
    subprocess.run(["cc", *flags, "-o", LIBRARY, *sorted(SOURCES.glob("*.c")), "-ldl"], check=True)


def program(name, *flags):
    """The executable of a guest that is one file of C."""
    to = BUILT / name
    if not to.exists():
        subprocess.run(["cc", "-O1", "-pthread", *flags, "-o", to, HERE / f"{name}.c"], check=True)
    return str(to)


class Life:
    """One life of a guest: who it is, and how it and we hear of each other."""

    def __init__(self, control, pid, end, channel, now=0):
        self.control, self.pid, self.end, self.channel, self.now = control, pid, end, channel, now
        self.turns, self.notes, self.hashes = 0, [], []

    def play(self, until=NEVER, most=1_000_000):
        """Plays turns up to a moment, or until the guest ends. Then its status; None where it still lives."""
        while self.turns < most:
            word = hear(self.control)
            if word is None:
                return os.waitstatus_to_exitcode(self.end(self.pid))
            kind, flags, a, b, c, text = word
            if kind == NOTE:
                self.notes.append(text)
            if kind != BLOCKED:
                continue
            self.turns += 1
            self.hashes.append(flags)
            answered = self.channel and self.channel.converse(b, c, self.now)
            if not answered:
                if a == NEVER or a > until:
                    return None
                self.now = max(self.now, a)
            say(self.control, WAKE, self.now, self.channel.sent if self.channel else 0)
        raise AssertionError("it does not come to an end")

    def stop(self):
        os.kill(self.pid, signal.SIGKILL)
        self.end(self.pid)


def say(control, kind, a=0, b=0, passing=None):
    extra = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [passing]))] if passing else []
    control.sendmsg([struct.pack("<IIQQQ", kind, 0, a, b, 0)], extra)


def hear(control):
    try:
        bytes = control.recv(1024)
    except ConnectionResetError:
        return None
    return (*struct.unpack("<IIQQQ", bytes[:32]), bytes[32:].decode()) if bytes else None


class Channel:
    """Our end of H4, which answers HCI_Reset. The guest dials (unix, tcp), listens, or opens a terminal (pty)."""

    def __init__(self, transport="unix", listens=False):
        self.transport, self.guest_listens = transport, listens
        self.path = str(BUILT / "hci.sock")
        if transport == "unix":
            pathlib.Path(self.path).unlink(missing_ok=True)
            self.listener = socket.socket(socket.AF_UNIX)
        elif transport == "tcp":
            self.listener = socket.socket()
        if transport == "pty":
            self.master, slave = os.openpty()
            tty.setraw(slave)
            self.path, self.slave = os.ttyname(slave), slave
            os.set_blocking(self.master, False)
        else:
            self.listener.bind(self.path if transport == "unix" else ("127.0.0.1", 0))
            if transport == "tcp":
                self.path = "127.0.0.1:%d" % self.listener.getsockname()[1]
            if listens:
                self.listener.close()
                if transport == "unix":
                    os.unlink(self.path)
            else:
                self.listener.listen()
        self.name = f"{transport}:{self.path}"
        self.forget()

    def forget(self):
        self.connection, self.connections, self.sent, self.received, self.log = None, 0, 0, 0, []
        self.answer = lambda packet: COMPLETE

    def connect(self, count):
        if self.connections >= count and not (self.guest_listens and not self.connection):
            return
        if self.guest_listens:
            family = socket.AF_UNIX if self.transport == "unix" else socket.AF_INET
            self.connection = socket.socket(family)
            host, _, port = self.path.rpartition(":")
            try:
                self.connection.connect(self.path if self.transport == "unix" else (host, int(port)))
            except OSError:
                self.connection = None
                return
        elif self.transport == "pty":
            self.connection = self.master
        else:
            self.connection, _ = self.listener.accept()
        if self.transport != "pty":
            self.connection.setblocking(False)
        if self.transport == "tcp":
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connections += 1

    def converse(self, written, connections, now):
        """Takes what the guest has written, and answers each packet; whether there was something."""
        self.connect(connections)
        if not self.connection:
            return False
        bytes = b""
        while self.received < written:
            try:
                part = os.read(self.master, 4096) if self.transport == "pty" else self.connection.recv(4096)
            except BlockingIOError:
                continue
            if not part:
                break
            self.received += len(part)
            bytes += part
        if bytes:
            self.log.append((now, bytes.hex()))
        reply = b"".join(self.answer(bytes[i : i + 4]) for i in range(0, len(bytes), 4))
        if reply:
            os.write(self.master, reply) if self.transport == "pty" else self.connection.send(reply)
            self.sent += len(reply)
        return bool(reply)


def fixed_addresses():
    ctypes.CDLL(None).personality(0x0040000)


def spawn(arguments, channel=None, **variables):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environment = dict(os.environ, LD_PRELOAD=str(LIBRARY), PYTHONHASHSEED="0", ANECHOIC_GUEST=str(theirs.fileno()))
    if channel:
        environment["ANECHOIC_GUEST_HCI"] = channel.name
    environment.update(variables)
    output = tempfile.TemporaryFile(buffering=0)
    process = subprocess.Popen(
        arguments, env=environment, pass_fds=[theirs.fileno()], stdout=output, preexec_fn=fixed_addresses)
    theirs.close()
    return ours, process, output


def text_of(output, start=0):
    return os.pread(output.fileno(), 1 << 20, start).decode()


def start(arguments, seed=1, now=0, channel=None, children=False):
    """A life from a plain start, and a function that says what it printed."""
    more = {"ANECHOIC_GUEST_CHILDREN": "allow"} if children else {}
    control, process, output = spawn(
        arguments, channel, ANECHOIC_GUEST_SEED=f"{seed:x}", ANECHOIC_GUEST_NOW=str(now), **more)

    def end(pid):
        _, status = os.waitpid(pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return status

    return Life(control, process.pid, end, channel, now), lambda: text_of(output)


class Server:
    """A guest that is started once and copied for each life."""

    def __init__(self, arguments, channel):
        self.channel = channel
        self.control, self.process, self.output = spawn(arguments, channel, ANECHOIC_GUEST_FORKS="1")
        self.notes = []
        while (word := hear(self.control)) and word[0] in (HELLO, NOTE):
            self.notes.append(word[5])
        self.can_copy = bool(word) and word[0] == SNAPSHOT

    def copy(self, seed=1, now=0):
        self.channel.forget()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        say(self.control, FORK, seed, now, passing=theirs.fileno())
        theirs.close()
        _, _, pid, *_ = self.expect(FORKED)
        size = os.fstat(self.output.fileno()).st_size
        return Life(ours, pid, self.reap, self.channel, now), lambda: text_of(self.output, size)

    def reap(self, pid):
        say(self.control, REAP, pid)
        return self.expect(REAPED)[3]

    def expect(self, kind):
        while (word := hear(self.control)) and word[0] == NOTE:
            self.notes.append(word[5])
        assert word and word[0] == kind, word
        return word

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.output.close()


def run(arguments, **options):
    """Plays a life to its end: its status, the moments and lines that it printed, the life."""
    life, printed = start(arguments, **options)
    status = life.play()
    if status is None:
        life.stop()
    life.control.close()
    return status, printed(), life
