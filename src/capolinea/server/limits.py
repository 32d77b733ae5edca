"""How much anybody may ask for: so many in a while, so many at once.

Keys are people or addresses. Only a bounded number is remembered: those unheard of for longest go.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

from capolinea.engine.problems import Problem

MOST_KEYS = 20_000


class TooFast(Problem):
    """Somebody asks too often; `seconds` says how long to wait."""

    def __init__(self, seconds: float, key: str = "serve.too-fast") -> None:
        super().__init__(key, seconds=max(1, round(seconds)))
        self.seconds = seconds


class TooManySockets(Problem):
    """Somebody has as many open as anybody may have."""

    def __init__(self) -> None:
        super().__init__("serve.too-many-sockets")


class Rate:
    """So many in so many seconds, for each key: a bucket that drips."""

    def __init__(
        self,
        many: int,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
        most_keys: int = MOST_KEYS,
    ) -> None:
        self._many = many
        self._pace = many / seconds
        self._full_after = seconds
        self._clock = clock
        self._most_keys = most_keys
        # key → (what was left, when); the longest unused come first.
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, cost: float = 1) -> float:
        """0 if it may go on, which is counted; else after how many seconds to try again."""
        now = self._clock()
        left, when = self._buckets.pop(key, (float(self._many), now))
        left = min(self._many, left + (now - when) * self._pace)
        wait = max(0.0, (min(cost, self._many) - left) / self._pace)
        self._buckets[key] = (left if wait else left - min(cost, self._many), now)
        self._forget(now)
        return wait

    def give_back(self, key: str, cost: float) -> None:
        """Take less than was taken."""
        if key in self._buckets:
            left, when = self._buckets[key]
            self._buckets[key] = (left + cost, when)

    def _forget(self, now: float) -> None:
        while self._buckets:
            key, (_, when) = next(iter(self._buckets.items()))
            # A bucket that is full again is as good as none.
            if len(self._buckets) <= self._most_keys and now - when < self._full_after:
                return
            del self._buckets[key]

    def __len__(self) -> int:
        return len(self._buckets)


class AtOnce:
    """So many at the same time, for each key: open sockets."""

    def __init__(self, many: int) -> None:
        self._many = many
        self._held: Counter[str] = Counter()

    def enter(self, key: str) -> bool:
        """Whether there is room for one more; who got in must `leave`."""
        if self.is_full(key):
            return False
        self._held[key] += 1
        return True

    def is_full(self, key: str) -> bool:
        return self._held[key] >= self._many

    def leave(self, key: str) -> None:
        self._held[key] -= 1
        if self._held[key] <= 0:
            del self._held[key]

    def __len__(self) -> int:
        return len(self._held)


def by_address(client: str) -> str:
    """The key of an address. With IPv6 everybody has at least a /64, so that is one key."""
    try:
        address = ip_address(client.partition("%")[0])
    except ValueError:
        return client[:64]
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address)
