"""What guests see of time and chance. `python3 -m unittest` in this folder; ANECHOIC_TIMES=20 plays each 20 times."""

import hashlib, os, sys, unittest

from mini_door import HERE, RESET, Channel, Server, build, program, run

PYTHON = sys.executable
TIMES = int(os.environ.get("ANECHOIC_TIMES", "2"))

# Who listens, and on what.
WAYS = [("unix", False), ("unix", True), ("tcp", False), ("tcp", True), ("pty", False)]


def setUpModule():
    build()


def script(name, *words):
    return [PYTHON, str(HERE / f"{name}.py"), *words]


class GuestTests(unittest.TestCase):
    maxDiff = None

    def play(self, arguments, status=0, **options):
        """The output of a guest, which is the same as often as it is played, as are the calls of each turn."""
        seen = set()
        for _ in range(TIMES):
            ended, printed, life = run(arguments, **options)
            self.assertEqual(ended, status, printed)
            seen.add((printed, hashlib.sha256(repr((life.hashes, life.now)).encode()).hexdigest()))
        self.assertEqual(len(seen), 1, seen)
        self.life = life
        return printed

    def assertPrints(self, expected, *arguments, **options):
        printed = self.play(*arguments, **options)
        self.assertEqual(printed.splitlines(), [line.strip() for line in expected.strip().splitlines()])


class Time(GuestTests):
    def test_each_way_to_wait_takes_as_long_as_it_says(self):
        self.assertPrints(
            """
            nanosleep 1
            usleep 2
            sleep 3000
            clock_nanosleep 4
            clock_nanosleep, absolute 5
            thrd_sleep 6
            poll 7
            ppoll 8
            select 9
            pselect 10
            epoll_wait 11
            epoll_pwait2 12
            timerfd in epoll 13
            timerfd, read 14
            sem_timedwait 15
            sem_clockwait 16
            pthread_cond_timedwait 17
            pthread_cond_clockwait 18
            pthread_mutex_timedlock 19
            setitimer, pause 20
            timer_create, sleep 21
            sigtimedwait 22
            alarm, sigwait 1000
            recv, SO_RCVTIMEO 23
            syscall nanosleep 24
            syscall futex 25
            syscall futex, bits 26
            """,
            [program("waits")])
        self.assertEqual(self.life.turns, 27)

    def test_time_goes_on_for_whoever_only_looks_at_it(self):
        self.assertPrints(
            """
            900 looks take 0.000 ms
            1 ms is over at 1.050 ms
            100 ms are over at 100.050 ms
            1000 polls of a millisecond in a second
            polls without a wait come to an end at 1198.7 ms
            """,
            [program("looks")])

    def test_what_passes_libc_by_is_caught(self):
        self.assertPrints(
            """
            instruction 0.010
            page 0.010
            counter 3000
            chance 1ef156bb76650c37
            fork -1
            in a thread 0.015, pid is true
            with all signals blocked 0
            signal 11 is the program's
            """,
            [program("past")])


class Threads(GuestTests):
    def test_threads_take_turns_in_an_order(self):
        self.assertPrints(
            """
            7 eve gives up
            10 ann puts, there are 1
            10 bob puts, there are 2
            10 eve wakes
            10 eve takes one of 2
            17 eve gives up
            17 eve takes one of 1
            20 ann puts, there are 1
            20 bob puts, there are 2
            20 eve wakes
            20 eve takes one of 2
            27 eve gives up
            27 eve takes one of 1
            30 ann puts, there are 1
            30 bob puts, there are 2
            30 eve wakes
            30 eve takes one of 2
            30 bob has ended
            37 eve gives up
            37 eve takes one of 1
            37 eve has ended
            """,
            [program("threads")])

    def test_threads_end_in_each_way_that_there_is(self):
        self.assertPrints(
            """
            5 1 is cancelled
            10 2 user signal 1
            10 2 slept less
            10 0 user signal 2
            25 3 rings
            35 3 rings
            45 3 rings
            60 4 starts
            60 4 is started
            60 5 is started
            90 6 ends the process
            """,
            [program("ends")], status=3)

    def test_a_signal_that_it_sends_itself_ends_it_as_on_linux(self):
        for deed, signal in [
            ("kill", 11), ("raise", 11), ("thread", 11), ("sys", 31), ("crash", 11)
        ]:
            with self.subTest(deed):
                self.assertPrints("begun", [program("wrong"), deed], status=-signal)
        for deed in "handler", "once":
            with self.subTest(deed):
                self.assertPrints("begun\na handler has 11", [program("wrong"), deed], status=-11)
        self.assertPrints("begun", [program("wrong"), "ignored"], status=3)

    def test_an_unlocked_race_ends_the_same_each_time(self):
        self.play([program("races")])


class Chance(GuestTests):
    def test_it_is_all_of_the_seed(self):
        one, two = (self.play([program("chance")], seed=seed).splitlines() for seed in (1, 2))
        self.assertEqual(len(one), 8)
        # These two are of the time and of the loader.
        self.assertEqual([a == b for a, b in zip(one, two)], [False] * 6 + [True] * 2)


class Controllers(GuestTests):
    RESETS = [(moment * 100_000_000, RESET.hex()) for moment in range(5)]

    def arguments(self, channel, listens=False):
        return [program("host"), *["listen"] * listens, channel.transport, channel.path.split(":")[-1]]

    def test_a_host_has_its_answers_at_once_whatever_lies_between(self):
        for transport, listens in WAYS:
            channel = Channel(transport, listens)
            with self.subTest(transport, listens=listens):
                for _ in range(TIMES):
                    channel.forget()
                    status, printed, life = run(self.arguments(channel, listens), channel=channel)
                    self.assertEqual((status, life.notes), (0, []))
                    self.assertEqual([line.split(",")[0] for line in printed.splitlines()], [
                        f"0.{moment}00 event 0e of 0c03" for moment in range(5)])
                    self.assertEqual(channel.log, self.RESETS)

    def copies(self, arguments, channel, now=0):
        server = Server(arguments, channel)
        self.addCleanup(server.stop)
        self.assertTrue(server.can_copy)
        for seed in [1, 2, 1, 2] * TIMES:
            life, printed = server.copy(seed, now)
            self.assertEqual((life.play(), life.notes), (0, []), printed())
            yield printed()

    def test_copies_of_a_host_have_its_own_run(self):
        for transport, listens in WAYS:
            channel = Channel(transport, listens)
            with self.subTest(transport, listens=listens):
                first, second, *more = self.copies(self.arguments(channel, listens), channel)
                self.assertNotEqual(first, second)
                self.assertEqual(more, [first, second] * (len(more) // 2))
                channel.forget()
                self.assertEqual(run(self.arguments(channel, listens), channel=channel)[1], first)

    def test_copies_of_a_python_host_have_its_own_run(self):
        for transport in ("unix", "tcp"):
            channel = Channel(transport)
            arguments = script("host", transport, channel.path.split(":")[-1])
            with self.subTest(transport):
                # Five seconds later than its program, which has a time-out of one.
                first, second, *more = self.copies(arguments, channel, now=5_000_000_000)
                self.assertNotEqual(first, second)
                self.assertEqual(more, [first, second] * (len(more) // 2))
                channel.forget()
                self.assertEqual(run(arguments, channel=channel, now=5_000_000_000)[1], first)


class Python(GuestTests):
    def test_tasks_of_asyncio(self):
        printed = self.play(script("tasks"))
        self.assertEqual([line.split()[:2] for line in printed.splitlines()[:-1]], [
            ["0.500", "one"], ["10.000", "two"], ["15.000", "two"], ["15.001", "two"], ["20.501", "one"],
            ["22.001", "one"]])
        self.assertEqual(printed.splitlines()[-1], "2026-01-01T00:00:24 done 2")

    def test_queues_of_threads(self):
        self.assertPrints(
            """
            0.050 waited False
            0.070 bob puts 0
            0.070 takes bob 0
            0.100 ann puts 0
            0.140 bob puts 1
            0.170 takes ann 0
            0.200 ann puts 1
            0.270 takes bob 1
            0.270 bob puts 2
            0.330 alarm
            0.370 takes ann 1
            0.370 ann puts 2
            0.470 takes bob 2
            0.570 takes ann 2
            0.920 gives up
            0.920 over
            """,
            script("queues"))


class Children(GuestTests):
    def test_a_guest_has_none_and_stays_one_when_it_becomes_another_program(self):
        self.assertPrints(
            """
            -1
            Operation not permitted
            Operation not permitted
            Operation not permitted
            Operation not permitted
            another program 2.0 here
            later 3.0
            """,
            script("families"), status=3)
        self.assertEqual(self.life.notes, [
            f"{call}: a guest may have no children" for call in ("system", "fork", "posix_spawn")])

    def test_they_run_in_real_time_where_they_may(self):
        self.assertPrints(
            """
            1024
            b'by subprocess\\n'
            b'by shell\\n'
            by popen

            1280
            another program 2.0 here
            later 3.0
            """,
            script("families"), status=3, children=True)
        self.assertEqual(self.life.notes, [
            f"{call}: the child runs outside of virtual time" for call in ("system", "fork", "posix_spawn")])

    def test_another_connection_is_told_of(self):
        lines = "import socket\nfor _ in 1, 2: print(socket.socket().connect_ex(('127.0.0.1', 9)) > 0)"
        self.assertEqual(self.play([PYTHON, "-c", lines]), "True\nTrue\n")
        self.assertEqual(self.life.notes, ["opens a connection to 127.0.0.1:9, outside of virtual time"])

    def test_a_wrapper_becomes_the_guest(self):
        line = f"sleep=1; exec {PYTHON} -c 'import time; time.sleep(5); print(time.monotonic())'"
        self.assertEqual(self.play(["sh", "-c", line]), "905.0\n")


if __name__ == "__main__":
    unittest.main()
