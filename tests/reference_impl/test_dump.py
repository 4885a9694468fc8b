"""`dumpsys npu`"""

from __future__ import annotations

import binder
from reference_impl.constants import SHELL_UID, Importance, PolicyType
from reference_impl.device import ReferenceDevice
from tests.reference_impl.device_kit import ALBUM, ASSISTANT, App

BUDGET_DUMP = """\
Policy: budget
    Max: 4
    Requests:
        10123 [com.example.album]: LOADED
        10124 [com.example.assistant]: PENDING_LOAD
        10999 []: NOT_PRIORITIZED

Priorities:
    1000 [system] 100
    0 [system] 100
    10124 [com.example.assistant] 100
    10123 [com.example.album] 400
"""

STATUS_QUO_DUMP = """\
Policy: statusquo

Priorities:
    1000 [system] 100
    0 [system] 100
    10123 [com.example.album] 1000
    10124 [com.example.assistant] 1000
"""


def without_our_own(text: str) -> str:
    """A dump less the lines that only this service has."""
    head, mark, rest = text.partition("\nThermal: 0\nHAL: accepted: ")
    assert mark
    assert "\nMetrics:\n    " in rest
    return head


def test_a_budget_dump_shows_cap_requests_and_priorities(device: ReferenceDevice) -> None:
    shell, album, assistant = (App(device, uid) for uid in (SHELL_UID, ALBUM, ASSISTANT))
    shell.sets(PolicyType.BUDGET)
    album.becomes(Importance.CACHED)
    assistant.becomes(Importance.FOREGROUND)
    album.asks(1)
    album.loaded(1)
    assistant.asks(1)
    App(device, 10999).asks(1)
    assert without_our_own(binder.dump(shell.service())) == BUDGET_DUMP


def test_a_status_quo_dump_shows_priorities_alone(device: ReferenceDevice) -> None:
    shell = App(device, SHELL_UID)
    App(device, ALBUM).asks(1)
    assert without_our_own(binder.dump(shell.service())) == STATUS_QUO_DUMP


def test_a_dump_without_the_permission_is_one_line_of_refusal(device: ReferenceDevice) -> None:
    text = binder.dump(App(device, ALBUM).service())
    assert text.startswith("Permission Denial: can't dump npu from pid=")
    assert "uid=10123" in text
    assert text.count("\n") == 1
