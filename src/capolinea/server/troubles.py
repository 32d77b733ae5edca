"""What can be wrong with a store in a file: for people to read, and for the log."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from capolinea.engine.problems import Problem
from capolinea.server import logs
from capolinea.server.store import StoreFailed

#: Seconds without a failure after which the trouble is over: a disk that is almost full takes some
#: writes and not others, and each would be told in the log.
CALM = 10.0

DAMAGED = "store.damaged"

_KEYS = {
    sqlite3.SQLITE_FULL: "store.full",
    sqlite3.SQLITE_NOTADB: "store.foreign",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_READONLY: "store.read-only",
}


#: Python cannot even read what SQLite says of a damaged file, if that quotes what stands in it.
FAILURES = (sqlite3.Error, UnicodeDecodeError)


def code_of(error: BaseException) -> int:
    """What SQLite calls it; Python's own errors have no code."""
    return getattr(error, "sqlite_errorcode", 0)


@contextmanager
def problems_of(path: Path) -> Iterator[None]:
    """What is wrong with a file, as a person should read it."""
    try:
        yield
    except FAILURES as error:
        raise _problem(error, str(path)) from error
    except FileNotFoundError as error:
        raise Problem("store.no-folder", folder=str(path.parent)) from error
    except OSError as error:
        raise Problem("store.unusable", file=str(path), why=error.strerror) from error


def _problem(error: sqlite3.Error | UnicodeDecodeError, file: str) -> Problem:
    if isinstance(error, UnicodeDecodeError):
        return Problem(DAMAGED, file=file)
    # The lower byte of a code says what it is about.
    key = _KEYS.get(code_of(error) & 0xFF, "store.unusable")
    return Problem(key, file=file, why=str(error))


class Troubles:
    """What ails a store that is open. The log has a line when it begins and another when it is over,
    however many writes have failed in between."""

    def __init__(self, file: str) -> None:
        #: Anybody may read of it: the name, and not where it is.
        self._file = file
        self._open: dict[str, Problem] = {}
        self._when = 0.0
        #: Who writes looks at it in a thread, who asks in another.
        self._lock = Lock()

    @property
    def last(self) -> Problem | None:
        """What went wrong last, as long as it is not over."""
        with self._lock:
            return next(reversed(self._open.values()), None)

    def look_at(self, outcomes: Sequence[StoreFailed | None]) -> None:
        """What came of a commit, or of a question."""
        failures = [failure for failure in outcomes if failure is not None]
        with self._lock:
            for failure in failures:
                failure.problem = self._cause(failure.__cause__)
                if failure.problem is not None:
                    self._note(failure, failure.problem)
            if not any(failure.problem for failure in failures):
                self._recover()

    def _cause(self, error: BaseException | None) -> Problem | None:
        """What is wrong with the store; None if it is only with what was to be written."""
        if isinstance(error, Problem):
            return Problem(error.key, **{**error.args_, "file": self._file})
        if isinstance(error, UnicodeDecodeError):
            return _problem(error, self._file)
        # Not what derives from these: that is about the values of a transaction.
        if type(error) is sqlite3.OperationalError or type(error) is sqlite3.DatabaseError:
            return _problem(error, self._file)
        return None

    def _note(self, failure: StoreFailed, problem: Problem) -> None:
        if self._open.pop(problem.key, None) is None:
            name = getattr(failure.__cause__, "sqlite_errorname", "")
            logs.tell_error("store-failed", failure, problem=problem.key, cause=name)
        self._open[problem.key] = problem
        self._when = time.monotonic()

    def _recover(self) -> None:
        over = [key for key in self._open if key != DAMAGED]  # which does not go away
        if over and time.monotonic() - self._when >= CALM:
            logs.tell("store-recovered", logging.WARNING, problems=over)
            for key in over:
                del self._open[key]
