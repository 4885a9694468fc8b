"""Scenarios for Android 17's NPU Manager, and what it takes to play them somewhere.

In reading order: `backend` (what a place to play must offer), `reference` (the one that is here),
`vocabulary` and `requests` (the words scenarios are written in), `scenarios/` (the scenarios),
`record` and `story` (what happened, as data and as text), `plugin` (how pytest plays them),
`catalogue`, `run`, `report` and `cli` (the `harness` command).
"""
