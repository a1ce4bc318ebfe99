# A host over asyncio: resets its controller, and prints when the answers came. Arguments: unix PATH or tcp PORT.
import asyncio, random, sys, time


async def main(transport, at):
    way = asyncio.open_unix_connection(at) if transport == "unix" else asyncio.open_connection("127.0.0.1", int(at))
    reader, writer = await asyncio.wait_for(way, 1)
    for _ in range(3):
        writer.write(bytes([1, 3, 12, 0]))
        answer = await reader.readexactly(7)
        print(f"{time.monotonic() - 900:.3f} {answer.hex()} {random.random():.6f}")
        await asyncio.sleep(0.1 + random.random())
    asyncio.get_running_loop().call_soon_threadsafe(print, "over")
    await asyncio.sleep(0)


asyncio.run(main(*sys.argv[1:]))
