"""The agent: a small C program that uses a device's binder driver for a host.

Its protocol is in docs/agent.md. `build` makes it, `install` brings it onto a device and starts it there.
"""
