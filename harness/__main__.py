"""`python -m harness` is `harness`."""

from .cli import main

main()
