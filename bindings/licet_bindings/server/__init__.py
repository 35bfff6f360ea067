"""An MCP server: agents ask for reviews and gated actions; it alone runs what they rest on."""
