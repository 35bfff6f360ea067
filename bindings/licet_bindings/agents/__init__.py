"""An agent at the door: what it does and what it says passes licet, whatever framework runs it.

`guard` decides and speaks; `pydantic_ai`, `openai_agents`, `langchain` and `langgraph` put it in
front of an agent at the hooks that each framework means for it. None of these is loaded by this
package; each needs an extra of its own.
"""
