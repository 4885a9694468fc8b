"""StatusQuo: everybody may load at once, as before there was an NPU Manager."""

from __future__ import annotations

from binder import PersistableBundle
from reference_impl.constants import LoadStatus
from reference_impl.policies.base import Policy
from reference_impl.policies.state import LoadRequest
from reference_impl.policies.turn import Turn


class StatusQuoPolicy(Policy):
    """Answers CAN_LOAD_NOW, always; remembers requests only to complete them."""

    dump_name = "statusquo"

    def __init__(self, params: PersistableBundle | None = None) -> None:
        """Parameters are ignored: there is nothing to set."""

    def admit(self, turn: Turn, request: LoadRequest) -> None:
        turn.answer(request, LoadStatus.CAN_LOAD_NOW)
