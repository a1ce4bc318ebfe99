# Children, a loop that closes every descriptor, and another program in place of this one.
import os, subprocess, sys, time

if len(sys.argv) > 1:
    print("another program", time.monotonic() - 900, sys.argv[1])
    time.sleep(1)
    print("later", time.monotonic() - 900)
    sys.exit(3)
time.sleep(2)
for call in (
    lambda: os.system("exit 4"),
    lambda: subprocess.run(["echo", "by subprocess"], capture_output=True).stdout,
    lambda: subprocess.run("read word; echo $word", shell=True, input=b"by shell", capture_output=True).stdout,
    lambda: os.popen("echo by popen").read(),
    lambda: os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", "exit 5"], os.environ), 0)[1],
):
    try:
        print(call())
    except OSError as error:
        print(error.strerror)
os.closerange(3, 1000)
os.execve(sys.executable, [sys.executable, __file__, "here"], {})
