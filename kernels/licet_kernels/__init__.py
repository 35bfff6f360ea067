"""Fast kernels on arrays, each equal to a function of the core that it names.

Nothing here decides what may be reported or done: ``licet`` does, and this package computes the
same answers faster. Importing it is cheap; a compiler is loaded when a kernel is first used.
"""
