"""The gate's doors: candidate documents, policies by name, reports, plans, pictures, commands."""
