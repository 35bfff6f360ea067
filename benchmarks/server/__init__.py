"""Adversarial agents against the MCP server, over HTTP; and what a gated tool call costs."""
