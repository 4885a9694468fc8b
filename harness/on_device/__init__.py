"""The adb backend: scenarios on a device that adb reaches.

`tier` finds out what is possible there. `agents` starts the agent under the uids of apps, `apps` chooses
installed packages to play as, `android` moves them with Android's own commands, and `lab` drives a virtual
device, which lets more be done than Android does; `service_call` is what is left without an agent. `session`
is one scenario's time, `backend` what pytest uses.
"""
