"""The effect journal: what a run was about to change, written down before, and what came of it, after.

Entries stand in a ledger: a SQLite file of the project, or tables beside the threads in Postgres. What an
entry means, and what may follow upon it, is the journal's and the same for both.
"""

from memory.effects.entries import Effect, EffectState, Slot, call_digest
from memory.effects.journal import EffectJournal

__all__ = ["Effect", "EffectJournal", "EffectState", "Slot", "call_digest"]
