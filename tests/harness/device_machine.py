"""Random apps on a whole reference device, and what must hold whatever they do.

A machine plays on the deterministic scheduler: apps that ask, load, unload, cancel, move, work and die,
people that swap policies, heat, a HAL that comes and goes. It keeps its own books of what each app was told.
Calls may be on their way to each other; what has to hold only when all have arrived is looked at from time to
time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from generated.android.npumanager import BnModelLoadCallback, ModelLoadRequestParcelable, NpuModelSize
from harness.backend import AppProcess
from harness.reference import ReferenceBackend
from harness.story import tell
from harness.vocabulary import BUDGET, STATUS_QUO, TURN_TAKING, App, Npu
from reference_impl.constants import Importance, ThermalStatus
from reference_impl.policies import POLICY_TYPES, PolicyFactory
from reference_impl.policies.ranking import heat_leaves

APPS = 4
LEVELS = (Importance.FOREGROUND, Importance.VISIBLE, Importance.CACHED)
HEAT = (ThermalStatus.NONE, ThermalStatus.SEVERE, ThermalStatus.CRITICAL, ThermalStatus.EMERGENCY)
WEIGHTS = {BUDGET: {0: 1, 1: 2, 2: 4}, TURN_TAKING: {0: 1, 1: 1, 2: 1}}
CAPS = {BUDGET: 4, TURN_TAKING: 1}
CAN_LOAD_NOW, WAIT_FOR_UNLOAD, NOT_PRIORITIZED = 0, 1, 2

apps = st.integers(0, APPS - 1)
picks = st.integers(0, 1000)


@dataclass(eq=False)
class Book(BnModelLoadCallback):
    """One request: what its app was told, and what it did."""

    app: App
    parcelable: ModelLoadRequestParcelable
    faults: list[str] = field(default_factory=list)
    answer: int | None = None
    loaded: bool = False
    asked: bool = False
    ends: int = 0
    forgotten: bool = False

    def _hear(self, what: str) -> None:
        if self.ends:
            self.faults.append(f"{self} hears {what} after its end")
        if self.forgotten:
            self.faults.append(f"{self} hears {what}, which the service should have forgotten")

    def __str__(self) -> str:
        return f"{self.app.label}'s request {self.parcelable.id}"

    def onCanLoadModel(self, status: int) -> None:
        self._hear(f"onCanLoadModel({status})")
        self.answer = status

    def onRequestUnloadModel(self) -> None:
        self._hear("onRequestUnloadModel")
        self.asked = True

    def onModelLoadRequestComplete(self, status: int) -> None:
        self._hear(f"onModelLoadRequestComplete({status})")
        self.ends += 1

    @property
    def open(self) -> bool:
        return not self.ends and not self.forgotten

    @property
    def granted(self) -> bool:
        return self.open and self.answer == CAN_LOAD_NOW

    @property
    def holds(self) -> bool:
        return self.open and (self.answer == CAN_LOAD_NOW or self.loaded)


class DeviceMachine(RuleBasedStateMachine):
    """Plays, and compares books with promises."""

    policy_types: Mapping[int, PolicyFactory] = POLICY_TYPES

    @initialize(seed=st.integers(0, 1 << 16), policy=st.sampled_from([BUDGET, TURN_TAKING]))
    def boot(self, seed: int, policy: int) -> None:
        self.seed = seed
        self.session = ReferenceBackend(policy_types=self.policy_types).open(seed)
        self.npu = Npu(self.session)
        self.books: list[Book] = []
        self.faults: list[str] = []
        self.thermal = 0
        self.hal = True
        self.apps = [self.npu.app(f"app{number}") for number in range(APPS)]
        self.importance = dict.fromkeys((app.uid for app in self.apps), int(Importance.CACHED))
        self.bystander: AppProcess = self.npu.app("bystander").process
        self.ids = 0
        self.swap(policy)

    def teardown(self) -> None:
        if hasattr(self, "session"):
            try:
                self.look()
            finally:
                self.session.close()

    # --- what apps do ------------------------------------------------------------------------------

    @rule(app=apps, size=st.sampled_from(list(NpuModelSize)), priority=st.sampled_from([0, 500, 1000]))
    def ask(self, app: int, size: NpuModelSize, priority: int) -> None:
        self.ids += 1
        request = ModelLoadRequestParcelable(self.ids, size, priority)
        book = Book(self.apps[app], request, self.faults)
        self.books.append(book)
        self.apps[app].service.canLoadModel(request, book)

    @rule(pick=picks, against_the_answer=st.booleans())
    def load(self, pick: int, against_the_answer: bool) -> None:
        book = self.one_of([b for b in self.open_books() if b.granted or against_the_answer], pick)
        if book is not None and not book.loaded:
            book.loaded = True
            book.app.service.notifyModelLoaded(book.parcelable)

    @rule(pick=picks)
    def unload(self, pick: int) -> None:
        # An app that is well-behaved does what it is asked first.
        asked = [book for book in self.open_books() if book.asked]
        book = self.one_of(asked or [book for book in self.open_books() if book.loaded], pick)
        if book is not None:
            book.app.service.notifyModelUnloaded(book.parcelable)

    @rule(pick=picks)
    def cancel(self, pick: int) -> None:
        book = self.one_of(self.open_books(), pick)
        if book is not None:
            book.app.service.cancelModelLoad(book.parcelable)

    @rule(app=apps, level=st.sampled_from(LEVELS))
    def move(self, app: int, level: int) -> None:
        self.apps[app].at(level)
        self.importance[self.apps[app].uid] = level

    @precondition(lambda self: self.hal)
    @rule(app=apps, completes=st.booleans())
    def work(self, app: int, completes: bool) -> None:
        (self.apps[app].finishes_work if completes else self.apps[app].fails_work)()

    @precondition(lambda self: self.hal)
    @rule(app=apps)
    def start_work(self, app: int) -> None:
        self.apps[app].starts_work(seconds=0.1)

    @rule(app=apps)
    def die(self, app: int) -> None:
        old = self.apps[app]
        old.dies()
        for book in self.books:
            book.forgotten |= book.app is old
        # Its uid is noticed to be GONE before it starts again.
        self.session.advance(0.1)
        self.apps[app] = self.npu.app(f"{old.label}'", shares_uid_with=old)
        self.importance[old.uid] = int(Importance.CACHED)

    # --- what happens around them ------------------------------------------------------------------

    @rule(policy=st.sampled_from([STATUS_QUO, TURN_TAKING, BUDGET]))
    def swap(self, policy: int) -> None:
        self.session.settle()
        self.npu.policy(policy)
        self.policy = policy
        for book in self.books:
            book.forgotten = True

    @rule(status=st.sampled_from(HEAT))
    def heat(self, status: int) -> None:
        self.npu.heats_up(status)
        self.thermal = status

    @rule()
    def restart_hal(self) -> None:
        if self.hal:
            self.session.kill_hal()
        else:
            self.session.start_hal("v1", devices=1, preemption="pause")
        self.hal = not self.hal

    @rule(seconds=st.sampled_from([0.001, 0.06, 1.0]))
    def wait(self, seconds: float) -> None:
        self.session.advance(seconds)

    # --- what must hold ----------------------------------------------------------------------------

    @invariant()
    def nothing_follows_an_end(self) -> None:
        if hasattr(self, "faults"):
            self.check(not self.faults, "; ".join(self.faults))

    @rule()
    def look(self) -> None:
        """Everything has arrived, and the policy has had an occasion to reconsider."""
        self.session.settle()
        now = self.session.device.platform.importance_of(self.bystander.uid)
        self.bystander.set_importance(700 if now != 700 else 701)
        self.session.settle()
        self.nothing_follows_an_end()
        opened = self.open_books()
        for book in opened:
            self.check(book.answer is not None, f"{book} is not answered")
        for book in self.books:
            self.check(book.ends <= 1, f"{book} ends {book.ends} times")
            hot = book.open and book.loaded and not self.may_hold(book)
            self.check(not hot or book.asked, f"{book} is not asked in spite of the heat")
        if self.policy != STATUS_QUO:
            self.look_at_the_budget(opened)

    def look_at_the_budget(self, opened: list[Book]) -> None:
        cap = CAPS[self.policy]
        granted = sum(self.weight(book) for book in opened if book.granted)
        self.check(granted <= cap, f"{granted} are granted, and the cap is {cap}")
        if any(book.asked for book in opened):
            return
        free = cap - sum(self.weight(book) for book in opened if book.holds)
        for book in opened:
            if book.holds or not self.may_hold(book):
                continue
            self.check(book.answer == NOT_PRIORITIZED, f"{book} waits for an unload nobody was asked for")
            self.check(self.weight(book) > free, f"{book} waits although there is room")
            mine = self.importance[book.app.uid]
            kept = sum(self.weight(b) for b in opened if b.holds and self.importance[b.app.uid] <= mine)
            behind = [b for b in opened if b.holds and self.importance[b.app.uid] > mine]
            self.check(
                not behind or kept + self.weight(book) > cap,
                f"{book} is left behind {', '.join(map(str, behind))}",
            )

    def check(self, holds: bool, text: str) -> None:
        if not holds:
            raise AssertionError(f"{text}\nseed {self.seed}\n{tell(self.session.events())}")

    # --- the books ---------------------------------------------------------------------------------

    def open_books(self) -> list[Book]:
        return [book for book in self.books if book.open]

    def may_hold(self, book: Book) -> bool:
        return heat_leaves(self.thermal, self.importance[book.app.uid])

    def weight(self, book: Book) -> int:
        return WEIGHTS[self.policy][book.parcelable.size]

    @staticmethod
    def one_of(books: list[Book], pick: int) -> Book | None:
        return books[pick % len(books)] if books else None
