"""The doors to the world: documents, records, the command line and agent frameworks.

Everything that reads, writes or talks to something else is here, outside the trusted core. Needs
the extra ``cli``.
"""
