"""Scenarios for Android 17's NPU Manager, and what it takes to play them somewhere.

In reading order: `backend` (what a place to play must offer), `reference` (the one that is here),
`vocabulary`, `requests` and `hal` (the words scenarios are written in), `scenarios/` (the scenarios),
`tap`, `record` and `story` (what happened, as data and as text), `plugin` and `names` (how pytest plays
them), `catalogue`, `run`, `report`, `commands` and `cli` (the `harness` command).
"""
