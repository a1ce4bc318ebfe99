# Two tasks that sleep 37 s in all, and random numbers.
import asyncio, random, time, uuid


async def sleeper(name, lengths):
    for length in lengths:
        await asyncio.sleep(length)
        print(f"{time.monotonic() - 900:.3f} {name} {random.random():.12f} {uuid.uuid4()}")


async def main():
    await asyncio.gather(sleeper("one", [0.5, 20, 1.5]), sleeper("two", [10, 4.999, 0.001]))
    found = await asyncio.get_running_loop().run_in_executor(None, lambda: time.sleep(2) or "done")
    print(time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()), found, len({"a", "b"}))


asyncio.run(main())
