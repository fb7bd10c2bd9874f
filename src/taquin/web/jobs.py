"""Work in processes of its own: a page stays alive, a job can be ended, memory comes back.

A *lane* has some workers and a queue of bounded length. A worker takes one job at a time, by a
pipe; a job that nobody waits for any more, or that takes too long, is ended with its process, and
the next job of the lane starts a new one.
"""

from __future__ import annotations

import asyncio
import multiprocessing as mp
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from multiprocessing.connection import Connection
from time import monotonic

from taquin.errors import LimitReached, TaquinError
from taquin.web import answers
from taquin.web.answers import Json

#: Address space of a worker: tables and compiled code included.
BYTES = 8 << 30
#: Seconds between two looks at a pipe; and of silence, after which an empty line of progress goes
#: out: only who is written to is seen to be gone.
LOOK, SILENCE = 0.05, 1.0
#: Told of a worker whose process is gone.
LOST_ERROR = {"kind": "WorkerLost", "message": "the work ended without an answer"}


class Busy(Exception):
    """All workers are at work, and the queue is full."""


def fault(error: BaseException) -> Json:
    """Return an error as the page is told it."""
    known: Json = {"kind": type(error).__name__, "message": str(error)}
    if isinstance(error, LimitReached):
        best = None if error.solution is None else answers.packed(error.solution)
        known |= {"best": best, "lower_bound": error.lower_bound}
    return known


def serve(pipe: Connection) -> None:
    """Answer jobs until the pipe is closed: what a worker's process runs."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))

    while True:
        try:
            name, wishes = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send({"result": answers.WORK[name](pipe.send, **wishes)})
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

    async def messages(self, name: str, wishes: Json) -> AsyncGenerator[Json, None]:
        """Give it a job; yield what it says, up to the result or an error."""
        self.pipe.send((name, wishes))
        said = monotonic()
        while True:
            if not await asyncio.to_thread(self.pipe.poll, LOOK):
                if monotonic() - said >= SILENCE:
                    said = monotonic()
                    yield {"progress": {}}
                continue
            said = monotonic()
            try:
                message = self.pipe.recv()
            except (EOFError, OSError):
                yield {"error": LOST_ERROR}
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
        self.busy: list[Worker] = []
        self._places = asyncio.Semaphore(workers)

    async def run(self, name: str, wishes: Json) -> AsyncGenerator[Json, None]:
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
            async with self._places, aclosing(self._by_a_worker(name, wishes)) as messages:
                async for message in messages:
                    yield message
        finally:
            self.jobs -= 1

    async def _by_a_worker(self, name: str, wishes: Json) -> AsyncGenerator[Json, None]:
        found = self._idle_worker()
        worker = await asyncio.to_thread(Worker) if found is None else found
        self.busy.append(worker)
        done = False
        try:
            async with (
                asyncio.timeout(self.seconds),
                aclosing(worker.messages(name, wishes)) as messages,
            ):
                async for message in messages:
                    ended = "result" in message or "error" in message
                    done = ended and message != {"error": LOST_ERROR}
                    yield message
        except TimeoutError:
            told = f"this took more than {self.seconds:g} seconds and was ended"
            yield {"error": {"kind": "LimitReached", "message": told, "best": None}}
        finally:
            self.busy.remove(worker)
            if done:
                self.idle.append(worker)
            else:
                worker.end()

    def _idle_worker(self) -> Worker | None:
        """A worker that waits for a job; what has died meanwhile is cleared away."""
        while self.idle:
            worker = self.idle.pop()
            if worker.process.is_alive():
                return worker
            worker.end()
        return None

    def close(self) -> None:
        """End all workers that are idle; the others end with their jobs."""
        for worker in self.idle:
            worker.end()
        self.idle.clear()
