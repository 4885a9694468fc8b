"""The host's end of the stream to an agent: the handshake, questions and answers, deadlines, and the end."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue
from typing import NamedTuple, TypeAlias

from ..errors import DeadObjectError
from .device import DeviceError
from .framing import (
    READY,
    Answer,
    FramingError,
    Operation,
    Outcome,
    Request,
    StreamEnded,
    buffered,
    check_greeting,
    greeting,
    pack_request,
    pack_wish,
    read_answer,
    unpack,
    unpack_error,
)
from .streams import Stream, Talkative

log = logging.getLogger("binder.kernel")

HANDSHAKE_SECONDS = 30.0
ANSWER_SECONDS = 30.0
"""How long the agent may take for what it does at once."""

_JOIN_SECONDS = 5.0
_GOODBYE_SECONDS = 0.5


class AgentError(DeviceError):
    """The agent could not do what it was asked for.

    Attributes:
        number: the errno, as Linux numbers them whatever the host is; 0 if there is none.
    """

    def __init__(self, message: str, number: int = 0) -> None:
        super().__init__(message)
        self.number = number


class NoAnswerError(AgentError, TimeoutError):
    """The agent has not answered in time. What was asked for may have been done, or may still be."""


class Loss(NamedTuple):
    """Why an agent is of no use any more."""

    kind: type[DeviceError] | type[DeadObjectError]
    message: str

    def error(self) -> DeviceError | DeadObjectError:
        return self.kind(self.message)


_Ended: TypeAlias = "Answer | Loss"


class Pending:
    """A question that has been sent."""

    def __init__(self, link: Link, operation: Operation) -> None:
        self._link = link
        self._answers: SimpleQueue[_Ended] = SimpleQueue()
        self.operation = operation

    def end(self, with_what: _Ended) -> None:
        self._answers.put(with_what)

    def result(self, timeout: float | None) -> bytes:
        """The payload of the answer.

        Raises:
            AgentError: it could not be done.
            NoAnswerError: there is no answer yet; ask again, or `Link.forget` it.
            DeviceError, DeadObjectError: the agent is lost.
        """
        try:
            answer = self._answers.get(timeout=timeout)
        except Empty:
            raise NoAnswerError(f"{self._link.name}: no answer within {timeout:g} s") from None
        if isinstance(answer, Loss):
            raise answer.error()
        if answer.outcome != Outcome.OK:
            number, text = unpack_error(answer.payload)
            raise AgentError(f"{self._link.name}: {text}", number)
        return answer.payload


class Link:
    """A stream to an agent that has shaken hands.

    Args:
        stream: to a fresh agent; it belongs to this object from now on.
        path: the binder device that it should open; none if empty.
        uid: whom the agent should run as; as it does unless given.
        name: of the agent, for messages.
        timeout: how long the agent may take until it has opened the device, in seconds.

    Attributes:
        pid, uid: the agent's.
        name: of the agent's device, for messages.

    Raises:
        DeviceError: the other end is no agent, is one of another version, or cannot open the device.
    """

    def __init__(
        self,
        stream: Stream,
        path: str,
        *,
        uid: int | None = None,
        name: str = "an agent",
        timeout: float = HANDSHAKE_SECONDS,
    ) -> None:
        self.name = f"{path} of {name}" if path else name
        self._stream = stream
        # Reentrant, because garbage collection can run a finaliser that drops a reference at any time.
        self._sending = threading.RLock()
        self._numbers = count(1)
        first = Pending(self, Operation.WAKE)
        self._waiting: dict[int, Pending] = {0: first}
        self._forgotten: dict[int, Operation] = {}
        self._loss: Loss | None = None
        self._complaint = ""
        self._reader = threading.Thread(target=self._listen, name="agent's answers", daemon=True)
        try:
            with suppress(Exception):  # the reading thread says more of what is wrong
                stream.write(greeting() + pack_wish(uid, path))
            self._reader.start()
            self.pid, self.uid = unpack(READY, first.result(timeout))
        except BaseException:
            self.end()
            raise
        self.name = f"{self.name} (pid {self.pid}, uid {self.uid})"

    # --- asking ------------------------------------------------------------------------------------

    def begin(self, operation: Operation, payload: bytes = b"", thread: int = 0) -> Pending:
        """Has the agent do something.

        Raises:
            TooLongError: the payload does not fit into a frame; nothing was sent.
            DeviceError, DeadObjectError: the agent is lost.
        """
        number = next(self._numbers)
        frame = pack_request(Request(thread, number, operation, payload))
        pending = self._waiting[number] = Pending(self, operation)
        try:
            if self._loss is not None:
                raise self._loss.error()
            self._send(frame)
        except BaseException:
            self.forget(pending)
            raise
        return pending

    def ask(
        self,
        operation: Operation,
        payload: bytes = b"",
        thread: int = 0,
        timeout: float | None = ANSWER_SECONDS,
    ) -> bytes:
        """Has the agent do something and waits for what comes of it. Raises as `begin` and `result` do."""
        pending = self.begin(operation, payload, thread)
        try:
            return pending.result(timeout)
        except BaseException:
            self.forget(pending)
            raise

    def forget(self, pending: Pending) -> None:
        """Nobody waits for the answer any more; it may still come."""
        for number, waiting in list(self._waiting.items()):
            if waiting is pending and self._waiting.pop(number, None) is not None:
                self._forgotten[number] = pending.operation

    def tell(self, operation: Operation, payload: bytes = b"", thread: int = 0) -> None:
        """Has the agent do something. If it has ended, that is done already."""
        if self._loss is None:
            with suppress(DeadObjectError, DeviceError):
                self._send(pack_request(Request(thread, 0, operation, payload)))

    def _send(self, frame: bytes) -> None:
        try:
            with self._sending:
                self._stream.write(frame)
        except Exception as error:  # by whatever name the stream says it
            # Part of a frame may be on its way: nothing that follows would be understood.
            self._reader.join(_GOODBYE_SECONDS)  # which hears more of why
            self.give_up(Loss(DeadObjectError, f"{self.name}: the connection is cut: {error}"))
            raise (self._loss or self._ended()).error() from None

    # --- hearing -----------------------------------------------------------------------------------

    def _listen(self) -> None:
        loss: Loss | None = None
        try:
            read = buffered(self._stream.read)
            check_greeting(read, "the other end")
            while True:
                self._deliver(read_answer(read))
        except StreamEnded as error:
            if 0 in self._waiting:
                loss = Loss(DeviceError, self._with_words(f"{self.name}: {error} before the agent was ready"))
        except FramingError as error:
            loss = Loss(DeviceError, self._with_words(f"{self.name}: {error}"))
        except Exception as error:  # by whatever name the stream says it
            loss = Loss(DeadObjectError, self._with_words(f"{self.name}: the connection is cut: {error}"))
        finally:
            self._lose(loss or self._ended())

    def _ended(self) -> Loss:
        return Loss(DeadObjectError, self._with_words(f"{self.name}: the agent has ended"))

    def _with_words(self, message: str) -> str:
        said = self._complaint
        if isinstance(self._stream, Talkative) and self._loss is None:
            said = "; ".join(filter(None, (said, self._stream.last_words())))
        return f"{message}; it said: {said}" if said else message

    def described(self) -> str:
        """Its name, pid and uid, how it ended if it has, and what it has said beside its frames."""
        return self._loss.message if self._loss else self._with_words(f"{self.name}: the agent runs")

    def _lose(self, loss: Loss) -> None:
        self._loss = self._loss or loss
        for pending in list(self._waiting.values()):
            pending.end(self._loss)

    def _deliver(self, answer: Answer) -> None:
        pending = self._waiting.pop(answer.number, None)
        if pending is not None:
            pending.end(answer)
        elif answer.number in self._forgotten:
            operation = self._forgotten.pop(answer.number)
            if operation in (Operation.CREATE_FILE, Operation.OPEN_FILE) and answer.outcome == Outcome.OK:
                self.tell(Operation.CLOSE_FILE, answer.payload)
        elif answer.number:
            raise FramingError(f"an answer to request {answer.number}, which nobody waits for")
        else:
            _, self._complaint = unpack_error(answer.payload)
            log.warning("%s: %s", self.name, self._complaint)

    # --- the end -----------------------------------------------------------------------------------

    @property
    def lost(self) -> bool:
        """Whether the agent has ended, or cannot be understood any more."""
        return self._loss is not None

    def wait_until_lost(self, timeout: float) -> bool:
        """Waits for the agent's end. Returns whether it has come."""
        self._reader.join(timeout)
        return not self._reader.is_alive()

    def give_up(self, loss: Loss) -> None:
        """Ends the stream, and everything that waits."""
        self._lose(loss)
        with suppress(Exception):
            self._stream.close()

    def end(self) -> None:
        """Ends the stream, after a moment in which the agent may do so itself."""
        here = self._reader.ident is None or threading.current_thread() is self._reader
        deadline = time.monotonic() + _JOIN_SECONDS
        if not here:
            self._reader.join(_GOODBYE_SECONDS)
        self._stream.close()
        if not here:
            self._reader.join(max(0.1, deadline - time.monotonic()))
