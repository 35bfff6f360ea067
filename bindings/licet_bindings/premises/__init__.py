"""Premises of actions: from tools' contracts and what an extractor proposes, to gate candidates."""
