"""Work in processes of its own: a page stays alive, a job can be ended, memory comes back.

A *lane* has some workers and a queue of bounded length. A worker takes one job at a time, by a
pipe; a job that nobody waits for any more, or that takes too long, is ended with its process, and
the next job of the lane starts a new one.
"""

from __future__ import annotations

import asyncio
import multiprocessing as mp
from collections.abc import AsyncIterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from taquin.errors import LimitReached, TaquinError

Json = dict[str, Any]
#: Address space of a worker: tables and compiled code included.
BYTES = 8 << 30
#: Seconds between two looks at a pipe.
LOOK = 0.05
#: The kind of error of a worker whose process is gone.
LOST = "WorkerLost"


class Busy(Exception):
    """All workers are at work, and the queue is full."""


def fault(error: BaseException) -> Json:
    """Return an error as the page is told it."""
    known: Json = {"kind": type(error).__name__, "message": str(error)}
    if isinstance(error, LimitReached):
        from taquin.web.answers import packed

        best = error.solution
        known |= {"best": None if best is None else packed(best), "lower_bound": error.lower_bound}
    return known


def serve(pipe: Connection) -> None:
    """Answer jobs until the pipe is closed: what a worker's process runs."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    from taquin.web import answers

    while True:
        try:
            name, wishes = pipe.recv()
        except EOFError:
            return
        try:
            if name == "solve":
                pipe.send({"result": answers.solve(pipe.send, **wishes)})
            else:
                for message in answers.WORK[name](**wishes):
                    pipe.send(message)
        except TaquinError as error:
            pipe.send({"error": fault(error)})
        except MemoryError:
            told = {"kind": "MemoryError", "message": "this needs more memory than a job may take"}
            pipe.send({"error": told})


class Worker:
    """A process and the pipe to it."""

    def __init__(self) -> None:
        context = mp.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    async def messages(self, name: str, wishes: Json) -> AsyncIterator[Json]:
        """Give it a job; yield what it says, up to the result or an error."""
        self.pipe.send((name, wishes))
        while True:
            if not await asyncio.to_thread(self.pipe.poll, LOOK):
                continue
            try:
                message = self.pipe.recv()
            except (EOFError, OSError):
                told = {"kind": LOST, "message": "the work ended without an answer"}
                yield {"error": told}
                return
            yield message
            if "result" in message or "error" in message:
                return

    def end(self) -> None:
        """End the process, whatever it does."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


class Lane:
    """Some workers, and jobs that wait for them.

    Parameters
    ----------
    workers : int
        Jobs at the same time.
    waiting : int
        Jobs that may wait; one more is `Busy`.
    seconds : float
        A job may take.
    """

    def __init__(self, workers: int, waiting: int, seconds: float) -> None:
        self.most, self.waiting, self.seconds = workers, waiting, seconds
        self.jobs = 0
        self.idle: list[Worker] = []
        self._places = asyncio.Semaphore(workers)

    async def run(self, name: str, wishes: Json) -> AsyncIterator[Json]:
        """Yield a job's messages: first its place in the queue, if it has to wait.

        Raises
        ------
        Busy
            At the first message.
        """
        if self.jobs >= self.most + self.waiting:
            raise Busy
        self.jobs += 1
        try:
            if self.jobs > self.most:
                yield {"queued": self.jobs - self.most}
            async with self._places:
                async for message in self._by_a_worker(name, wishes):
                    yield message
        finally:
            self.jobs -= 1

    async def _by_a_worker(self, name: str, wishes: Json) -> AsyncIterator[Json]:
        worker = self.idle.pop() if self.idle else await asyncio.to_thread(Worker)
        done = False
        try:
            async with asyncio.timeout(self.seconds):
                async for message in worker.messages(name, wishes):
                    done = "result" in message or "error" in message
                    if done and message.get("error", {}).get("kind") == LOST:
                        done = False
                    yield message
        except TimeoutError:
            done = False
            told = f"this took more than {self.seconds:g} seconds and was ended"
            yield {"error": {"kind": "LimitReached", "message": told, "best": None}}
        finally:
            if done:
                self.idle.append(worker)
            else:
                worker.end()

    def close(self) -> None:
        """End all workers that are idle; the others end with their jobs."""
        while self.idle:
            self.idle.pop().end()
