"""Binder within one Python process: a driver, and processes that live side by side under it.

Parcels are carried as bytes and their objects translated, as the kernel does; only the processes
are pretended. `DeterministicScheduler` replays one interleaving per seed on a virtual clock,
`ThreadScheduler` runs on threads and real time.
"""

from .driver import Driver, Transaction
from .process import LocalProxy, Process
from .scheduler import DeterministicScheduler, Scheduler, SerialQueue, ThreadScheduler, Timer

__all__ = [
    "DeterministicScheduler",
    "Driver",
    "LocalProxy",
    "Process",
    "Scheduler",
    "SerialQueue",
    "ThreadScheduler",
    "Timer",
    "Transaction",
]
