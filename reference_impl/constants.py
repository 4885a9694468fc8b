"""The NPU Manager's public numbers and names, under Android's own terms.

Values are those of the framework class `android.npumanager.NpuManager` unless a comment names another source.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

NPU_SERVICE: Final = "npu"  # Context.NPU_SERVICE
HAL_SERVICE: Final = "android.hardware.npu.IScheduling/default"  # the instance the VINTF manifest declares
NPU_DEVICE_SERVICE: Final = "npukit.npu.INpuDevice/default"  # npukit's own: no Android device has it


class LoadStatus(IntEnum):
    """What `onCanLoadModel` says: NPU_MODEL_LOAD_STATUS_*."""

    CAN_LOAD_NOW = 0
    WAIT_FOR_UNLOAD = 1
    NOT_PRIORITIZED = 2


class RequestStatus(IntEnum):
    """What `onModelLoadRequestComplete` says: NPU_MODEL_LOAD_REQUEST_STATUS_*; continues LoadStatus."""

    CANCELLED = 3
    COMPLETE = 4


class PolicyType(IntEnum):
    """What `setPolicy` takes."""

    STATUS_QUO = 0
    TURN_TAKING = 1
    BUDGET = 2


class ModelSize(IntEnum):
    """NPU_MODEL_SIZE_*, the same values as the AIDL enum NpuModelSize."""

    LESS_THAN_1GB = 0
    BETWEEN_1GB_AND_2GB = 1
    GREATER_THAN_2G = 2


class ModelPriority(IntEnum):
    """NPU_MODEL_PRIORITY_*: of a request among its app's own, not of the app.

    The public page also names OPPORTUNISTIC and publishes no value for it; any int is kept as it comes.
    """

    NORMAL = 0
    BACKGROUND = 1000


class Importance(IntEnum):
    """ActivityManager.RunningAppProcessInfo.IMPORTANCE_*: the smaller, the more important."""

    FOREGROUND = 100
    FOREGROUND_SERVICE = 125
    VISIBLE = 200
    PERCEPTIBLE = 230
    SERVICE = 300
    TOP_SLEEPING = 325
    CANT_SAVE_STATE = 350
    CACHED = 400
    GONE = 1000


class ThermalStatus(IntEnum):
    """PowerManager.THERMAL_STATUS_*: the greater, the hotter."""

    NONE = 0
    LIGHT = 1
    MODERATE = 2
    SEVERE = 3
    CRITICAL = 4
    EMERGENCY = 5
    SHUTDOWN = 6


KEY_MODEL_SIZE_WEIGHTS: Final = "modelSizeWeights"  # nested bundle: decimal string of a ModelSize -> int > 0
KEY_MAX_BUDGET: Final = "maxBudget"  # int > 0

FLAG_NPUMANAGER_ENABLED: Final = "npumanager_enabled"  # aconfig, package com.android.npumanager
FLAG_BLOCK_MISSING_FEATURE: Final = "npumanager_block_missing_feature"

FEATURE_NEURAL_PROCESSING_UNIT: Final = "android.hardware.npu"  # PackageManager

PERMISSION_ACCESS_NPU_MODEL_MANAGER_API: Final = "android.permission.ACCESS_NPU_MODEL_MANAGER_API"
PERMISSION_ATTRIBUTE_WORK_TO_OTHER_APPS: Final = "android.permission.ATTRIBUTE_WORK_TO_OTHER_APPS"
PERMISSION_DUMP: Final = "android.permission.DUMP"

CINNAMON_BUN: Final = 37  # Build.VERSION_CODES, Android 17

ROOT_UID: Final = 0  # android.os.Process
SYSTEM_UID: Final = 1000
SHELL_UID: Final = 2000
FIRST_APPLICATION_UID: Final = 10000
