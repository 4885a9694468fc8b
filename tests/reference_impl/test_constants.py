"""The constants agree with each other and with the AIDL."""

from __future__ import annotations

from generated.android.hardware.npu import IScheduling, SchedulingConfig
from generated.android.npumanager import ModelLoadRequestParcelable, NpuModelSize
from reference_impl import constants
from reference_impl.constants import Importance, LoadStatus, ModelPriority, ModelSize, RequestStatus


def test_model_sizes_are_those_of_the_aidl_enum() -> None:
    assert {size.name: size.value for size in ModelSize} == {size.name: size.value for size in NpuModelSize}


def test_model_priorities_are_those_of_the_parcelable() -> None:
    assert ModelPriority.NORMAL == ModelLoadRequestParcelable.PRIORITY_NORMAL
    assert ModelPriority.BACKGROUND == ModelLoadRequestParcelable.PRIORITY_BACKGROUND


def test_answers_and_ends_share_one_range() -> None:
    assert [*LoadStatus, *RequestStatus] == [0, 1, 2, 3, 4]


def test_the_hal_instance_is_the_default_one_of_its_interface() -> None:
    assert f"{IScheduling.aidl.descriptor}/default" == constants.HAL_SERVICE


def test_importances_lie_on_the_priority_scale() -> None:
    scale = range(SchedulingConfig.MIN_PRIORITY, SchedulingConfig.MAX_PRIORITY + 1)
    assert all(importance in scale for importance in Importance)
