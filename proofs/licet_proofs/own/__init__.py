"""Checks of a user's own review program or gate candidate, on the kernel's objects.

Nothing here reads a document or prints. Needs nothing but the kernel: the extra ``proofs`` is for
the proofs of the kernel itself.
"""
