"""Just enough of Android around the reference device for adb to find one.

`system` is the program: the service manager, the service and the HAL on a real binder driver, and an answer
to what is typed at a shell. `activity` stands in for ActivityManager; `shell_commands` and the modules that
it lists are the commands, pure functions of words and a device. `client` is the shell script behind all of
their names.
"""
