"""The scenarios: each an ordinary pytest test that tells a story about apps and an NPU.

None knows which backend it runs on; what it needs of one it states with `@needs`.
"""
