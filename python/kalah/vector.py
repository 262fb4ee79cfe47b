"""Many games at once, in Rust and on all cores: what a training loop needs."""

from kalah._native import Boards

__all__ = ["Boards"]
