# Threads, a queue with time-outs, a timer.
import queue, threading, time

start = time.monotonic()
work = queue.Queue(maxsize=2)


def say(*words):
    print(f"{time.monotonic() - start:.3f}", *words)


def produce(name, pause):
    for number in range(3):
        time.sleep(pause)
        work.put((name, number))
        say(name, "puts", number)


def consume():
    while True:
        try:
            say("takes", *work.get(timeout=0.25))
            time.sleep(0.1)
        except queue.Empty:
            say("gives up")
            return


threads = [threading.Thread(target=produce, args=("ann", 0.1)), threading.Thread(target=produce, args=("bob", 0.07))]
threads.append(threading.Thread(target=consume))
threading.Timer(0.33, say, args=("alarm",)).start()
for thread in threads:
    thread.start()
event = threading.Event()
say("waited", event.wait(0.05))
for thread in threads:
    thread.join()
say("over")
