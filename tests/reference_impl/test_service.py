"""The `npu` service over binder, as CTS sees it and further."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from binder import (
    IllegalArgumentException,
    PersistableBundle,
    SecurityException,
    UnsupportedOperationException,
)
from binder.local import Driver, ThreadScheduler
from generated.android.npumanager import BnNpuAllocatorCallback, IModelLoadCallback, NpuModelSize
from reference_impl.constants import SHELL_UID, Importance, PolicyType
from reference_impl.device import ReferenceDevice
from reference_impl.hal_reports import DEBOUNCE_SECONDS
from reference_impl.platform import Package
from reference_impl.policies import POLICY_TYPES, TurnTakingPolicy
from reference_impl.policies.state import Rank, Standing
from tests.reference_impl.device_kit import ALBUM, ASSISTANT, LARGE, SMALL, App, Hearing, request


@pytest.fixture
def shell(device: ReferenceDevice) -> App:
    return App(device, SHELL_UID)


@pytest.fixture
def album(device: ReferenceDevice) -> App:
    app = App(device, ALBUM)
    app.becomes(Importance.CACHED)
    return app


@pytest.fixture
def assistant(device: ReferenceDevice) -> App:
    app = App(device, ASSISTANT)
    app.becomes(Importance.CACHED)
    return app


def works(app: App, *, fails: bool = False, uid: int | None = None) -> None:
    """One job runs for `app`, of another uid's in its name if one is given."""
    hal = app.device.hal
    assert hal is not None
    hal.submit(app.uid if uid is None else uid, original_uid=app.uid, fails=fails)
    app.device.driver.scheduler.advance(2 * DEBOUNCE_SECONDS)


def test_status_quo_is_the_policy_at_boot(album: App, assistant: App) -> None:
    first, second = album.asks(54, SMALL), assistant.asks(1)
    album.cancels(54)
    assert (first, second) == (["CAN_LOAD_NOW", "CANCELLED"], ["CAN_LOAD_NOW"])


@pytest.mark.parametrize("policy", [PolicyType.BUDGET, PolicyType.TURN_TAKING])
def test_a_foreground_app_preempts_a_background_one(
    shell: App, album: App, assistant: App, policy: PolicyType
) -> None:
    shell.sets(policy)
    held = album.asks(1)
    album.loaded(1)
    assistant.becomes(Importance.FOREGROUND)
    wanted = assistant.asks(1)
    assert (held, wanted) == (["CAN_LOAD_NOW", "UNLOAD"], ["WAIT_FOR_UNLOAD"])
    album.unloaded(1)
    assert (held[2:], wanted[1:]) == (["COMPLETE"], ["CAN_LOAD_NOW"])


def test_an_equal_gets_its_turn_after_a_finished_inference(shell: App, album: App, assistant: App) -> None:
    shell.sets(PolicyType.TURN_TAKING)
    held = album.asks(1)
    album.loaded(1)
    wanted = assistant.asks(1)
    works(album, fails=True)
    assert (held, wanted) == (["CAN_LOAD_NOW"], ["NOT_PRIORITIZED"])
    works(album)
    assert (held, wanted) == (["CAN_LOAD_NOW", "UNLOAD"], ["NOT_PRIORITIZED"])
    album.unloaded(1)
    assert (held[2:], wanted[1:]) == (["COMPLETE"], ["CAN_LOAD_NOW"])


def test_work_in_anothers_name_counts_for_the_other(shell: App, album: App, assistant: App) -> None:
    shell.sets(PolicyType.TURN_TAKING)
    held = album.asks(1)
    album.loaded(1)
    assistant.asks(1)
    works(album, uid=1000)
    assert held == ["CAN_LOAD_NOW", "UNLOAD"]


@pytest.mark.parametrize("policy", [PolicyType.BUDGET, PolicyType.TURN_TAKING])
def test_the_death_of_a_foreground_holder_frees_its_budget(
    shell: App, album: App, assistant: App, policy: PolicyType
) -> None:
    shell.sets(policy)
    assistant.becomes(Importance.FOREGROUND)
    assistant.asks(1)
    assistant.loaded(1)
    wanted = album.asks(1)
    assistant.dies()
    assert wanted == ["NOT_PRIORITIZED", "CAN_LOAD_NOW"]


def test_one_death_takes_all_requests_of_the_uid(
    device: ReferenceDevice, shell: App, album: App, assistant: App
) -> None:
    shell.sets(PolicyType.BUDGET)
    other_process = App(device, ALBUM)
    survivor = other_process.asks(2, NpuModelSize.BETWEEN_1GB_AND_2GB)
    album.asks(1, NpuModelSize.BETWEEN_1GB_AND_2GB)
    wanted = assistant.asks(1)
    album.dies()
    assert wanted == ["NOT_PRIORITIZED", "CAN_LOAD_NOW"]
    other_process.unloaded(2)
    assert survivor == ["CAN_LOAD_NOW"]


def test_late_news_of_a_death_spares_requests_made_since(
    device: ReferenceDevice, shell: App, album: App
) -> None:
    shell.sets(PolicyType.BUDGET)
    album.asks(1, SMALL)
    album.asks(2, SMALL)
    restarted = App(device, ALBUM)
    device.kill(album.process)
    device.driver.scheduler.wait_until(lambda: not device.service.policy_and_requests()[1], timeout=1)
    held = restarted.asks(1)
    restarted.cancels(1)
    assert held == ["CAN_LOAD_NOW", "CANCELLED"]


@pytest.mark.parametrize("end", ["cancel", "unload", "replace", "policy", "evict"])
def test_no_link_to_death_outlives_its_request(shell: App, album: App, assistant: App, end: str) -> None:
    shell.sets(PolicyType.TURN_TAKING)
    hearing = Hearing()
    album.asks(1, callback=hearing)
    links = album.process.node_for(hearing).links
    assert len(links) == 1
    match end:
        case "cancel":
            album.cancels(1)
        case "unload":
            album.unloaded(1)
        case "replace":
            album.asks(1)
        case "policy":
            shell.sets(PolicyType.BUDGET)
        case "evict":
            assistant.becomes(Importance.FOREGROUND)
            assistant.asks(1)
    assert links == []


def test_the_death_of_a_client_whose_requests_are_over_changes_nothing(
    device: ReferenceDevice, shell: App, album: App
) -> None:
    shell.sets(PolicyType.BUDGET)
    album.asks(1)
    album.cancels(1)
    later = App(device, ALBUM)
    held = later.asks(1)
    album.dies()
    later.cancels(1)
    assert held == ["CAN_LOAD_NOW", "CANCELLED"]


def test_a_request_whose_callback_is_dead_already_is_not_recorded(
    device: ReferenceDevice, shell: App, album: App, assistant: App
) -> None:
    shell.sets(PolicyType.TURN_TAKING)
    node = album.process.node_for(Hearing())
    proxy = IModelLoadCallback.from_binder(assistant.process.reference_to(node))
    album.dies()
    assistant.asks(1, callback=proxy)
    assert assistant.asks(2) == ["CAN_LOAD_NOW"]


def test_apps_cannot_touch_each_others_requests(shell: App, album: App, assistant: App) -> None:
    shell.sets(PolicyType.BUDGET)
    held = album.asks(1)
    assistant.loaded(1)
    assistant.cancels(1)
    assistant.unloaded(1)
    assert held == ["CAN_LOAD_NOW"]


def test_a_replaced_request_ends_as_cancelled_on_its_own_callback(album: App) -> None:
    first = album.asks(1)
    second = album.asks(1)
    album.unloaded(1)
    assert (first, second) == (["CAN_LOAD_NOW", "CANCELLED"], ["CAN_LOAD_NOW", "COMPLETE"])


def test_a_callback_that_is_passed_again_does_not_hear_that_it_is_over(album: App) -> None:
    hearing = Hearing()
    album.asks(1, callback=hearing)
    album.asks(1, callback=hearing)
    album.unloaded(1)
    assert hearing.heard == ["CAN_LOAD_NOW", "CAN_LOAD_NOW", "COMPLETE"]


# --- setPolicy ---


def test_set_policy_without_permission_is_denied(album: App) -> None:
    with pytest.raises(SecurityException, match="Model Manager permission denied"):
        album.sets(PolicyType.BUDGET)


def test_an_unknown_policy_is_an_illegal_argument(shell: App) -> None:
    with pytest.raises(IllegalArgumentException, match="99"):
        shell.sets(99)


@pytest.mark.parametrize("params", [{"maxBudget": 0}, {"modelSizeWeights": {"2": -1}}])
def test_illegal_parameters_leave_the_old_policy_and_its_requests(
    shell: App, album: App, params: dict[str, int]
) -> None:
    shell.sets(PolicyType.TURN_TAKING)
    held = album.asks(1)
    with pytest.raises(IllegalArgumentException):
        shell.npu.setPolicy(PolicyType.BUDGET, PersistableBundle.of(params))
    album.cancels(1)
    assert held == ["CAN_LOAD_NOW", "CANCELLED"]


def test_a_cap_travels_in_the_bundle(shell: App, album: App, assistant: App) -> None:
    shell.npu.setPolicy(PolicyType.BUDGET, PersistableBundle.of({"maxBudget": 8}))
    assert (album.asks(1), assistant.asks(1)) == (["CAN_LOAD_NOW"], ["CAN_LOAD_NOW"])
    assert album.asks(2) == ["NOT_PRIORITIZED"]
    shell.npu.setPolicy(PolicyType.BUDGET, PersistableBundle.of({"maxBudget": 1}))
    assert album.asks(1) == ["NOT_PRIORITIZED"]


def test_a_new_policy_forgets_the_requests_of_the_old_one(shell: App, album: App, assistant: App) -> None:
    shell.sets(PolicyType.TURN_TAKING)
    held = album.asks(1)
    album.loaded(1)
    shell.sets(PolicyType.TURN_TAKING)
    assert assistant.asks(1) == ["CAN_LOAD_NOW"]
    album.unloaded(1)
    album.dies()
    assert held == ["CAN_LOAD_NOW"]


@pytest.mark.parametrize("policy", [PolicyType.BUDGET, PolicyType.TURN_TAKING])
def test_a_size_outside_the_enum_is_an_illegal_argument(shell: App, album: App, policy: PolicyType) -> None:
    shell.sets(policy)
    with pytest.raises(IllegalArgumentException, match="7 is not a model size"):
        album.asks(1, NpuModelSize(7))
    album.cancels(1)
    assert album.asks(1) == ["CAN_LOAD_NOW"]


def test_there_is_no_allocator_without_wrapfd(album: App) -> None:
    with pytest.raises(UnsupportedOperationException, match="/dev/wrapfd"):
        album.npu.createAllocator(NoAllocator())


class NoAllocator(BnNpuAllocatorCallback):
    def onGetBuffer(self, appReqId: int, bufFd: object, errno: int, errMsg: str | None) -> None: ...

    def onLoad(self, appReqId: int, errno: int, errMsg: str | None) -> None: ...

    def onNotifyPreempted(self, appReqId: int) -> None: ...


# --- how it is built ---


def test_a_mutated_policy_can_be_put_in_place_of_a_real_one(driver: Driver) -> None:
    class Generous(TurnTakingPolicy):
        def rank(self, standing: Standing) -> Rank:
            return standing.priority, -standing.uid

    types = {**POLICY_TYPES, PolicyType.TURN_TAKING: Generous}
    device = ReferenceDevice(driver, policy_types=types)
    App(device, SHELL_UID).sets(PolicyType.TURN_TAKING)
    album = App(device, ALBUM)
    held = album.asks(1)
    album.loaded(1)
    assert App(device, ASSISTANT).asks(1) == ["WAIT_FOR_UNLOAD"]
    assert held == ["CAN_LOAD_NOW", "UNLOAD"]


def test_a_callback_in_the_system_server_may_call_back_at_once(device: ReferenceDevice) -> None:
    class Eager(Hearing):
        def onCanLoadModel(self, status: int) -> None:
            device.service.notifyModelUnloaded(request(1))
            super().onCanLoadModel(status)

    eager = Eager()
    with device.system_server.running():
        device.service.canLoadModel(request(1), eager)
    assert eager.heard == ["CAN_LOAD_NOW", "COMPLETE"]


@pytest.fixture
def threaded() -> Iterator[ReferenceDevice]:
    driver = Driver(ThreadScheduler())
    packages = [Package(f"com.example.app{number}", 10200 + number) for number in range(8)]
    yield ReferenceDevice(driver, packages=packages)
    driver.close()


def test_under_threads_one_model_is_granted_at_a_time(threaded: ReferenceDevice) -> None:
    App(threaded, SHELL_UID).sets(PolicyType.TURN_TAKING)
    resident: list[int] = []
    most: list[int] = []
    done: list[int] = []

    class Polite(Hearing):
        """Takes its turn and leaves."""

        def __init__(self, app: App) -> None:
            super().__init__()
            self.app = app

        def onCanLoadModel(self, status: int) -> None:
            if status == 0:
                resident.append(self.app.uid)
                most.append(len(resident))
                self.app.npu.notifyModelLoaded(request(1))
                resident.remove(self.app.uid)
                self.app.npu.notifyModelUnloaded(request(1))

        def onModelLoadRequestComplete(self, status: int) -> None:
            done.append(self.app.uid)

    apps = [App(threaded, 10200 + number) for number in range(8)]
    for app in apps:
        threaded.driver.scheduler.post(lambda app=app: app.npu.canLoadModel(request(1, LARGE), Polite(app)))  # type: ignore[misc]
    assert threaded.driver.scheduler.wait_until(lambda: len(done) == len(apps), timeout=20)
    assert max(most) == 1
