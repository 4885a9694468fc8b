"""A run as one page of HTML: what came of it, and a timeline of every scenario, with nothing to fetch."""

from .data import index_of, story_of
from .pack import page_of

__all__ = ["index_of", "page_of", "story_of"]
