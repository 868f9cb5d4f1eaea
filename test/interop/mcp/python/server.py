"""A server of both eras on stdio, written with the official SDK for Python: what sdk_server.mjs has, for our client.

python server.py [http]
With `http` it serves that, on the port that the variable PORT has.
"""

import os
import sys
import warnings
from typing import Annotated

import anyio
from mcp.server.mcpserver import Context, Elicit, ElicitationResult, ListRoots, MCPServer, Resolve, Sample
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import (
    CallToolResult,
    Completion,
    CreateMessageResult,
    ListRootsResult,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel

WATCHED = "test://static-text"

warnings.simplefilter("ignore")  # logging is deprecated there, but for the clients that want it
server = MCPServer("python-server", version="1.0.0", log_level="CRITICAL")


class User(BaseModel):
    username: str
    email: str


class Sum(BaseModel):
    sum: float


def tool(function):
    server.add_tool(function, description=f"Runs {function.__name__}.")
    return function


@tool
def test_simple_text() -> CallToolResult:
    text = "This is a simple text response for testing."
    return CallToolResult(content=[TextContent(type="text", text=text)])


@tool
def sum(a: float, b: float) -> Sum:
    return Sum(sum=a + b)


@tool
def test_error_handling() -> str:
    raise ToolError("This tool intentionally returns an error for testing")


async def take_steps(context, total, count, ms):
    for step in range(1, count + 1):
        await context.report_progress(step * total / count, total)
        await anyio.sleep(ms / 1000)
    return "done"


@tool
async def test_tool_with_progress(context: Context) -> str:
    return await take_steps(context, 100, 3, 20)


@tool
async def slow(steps: int, ms: int, context: Context) -> str:
    return await take_steps(context, steps, steps, ms)


@tool
async def test_tool_with_logging(context: Context) -> str:
    for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.info(said)
        await anyio.sleep(0.02)
    return "Tool with logging executed successfully"


async def ask_user(message: str) -> Elicit[User]:
    return Elicit(message, User)


@tool
def test_elicitation(message: str, user: Annotated[ElicitationResult[User], Resolve(ask_user)]) -> str:
    content = user.data.model_dump_json() if user.action == "accept" else "{}"
    return f"User response: action={user.action}, content={content}"


async def ask_model(prompt: str) -> Sample:
    said = TextContent(type="text", text=prompt)
    return Sample([SamplingMessage(role="user", content=said)], max_tokens=100)


@tool
def test_sampling(prompt: str, said: Annotated[CreateMessageResult, Resolve(ask_model)]) -> str:
    return f"LLM response: {said.content.text}"


async def ask_roots() -> ListRoots:
    return ListRoots()


@tool
def list_roots(found: Annotated[ListRootsResult, Resolve(ask_roots)]) -> str:
    return "Roots: " + " ".join(str(root.uri) for root in found.roots)


# The SDK has one call for each era, of which the other does nothing.
@tool
async def test_trigger_tool_change(context: Context) -> str:
    server.add_tool(test_simple_text, name="test_dynamic_tool", description="Is new.")
    await context.notify_tools_changed()
    await context.session.send_tool_list_changed()
    return "Mutation triggered"


@tool
async def touch(context: Context) -> str:
    await context.notify_resource_updated(WATCHED)
    await context.session.send_resource_updated(WATCHED)
    return "done"


@server.resource(WATCHED, name="static-text", description="A text", mime_type="text/plain")
def static_text() -> str:
    return "This is the content of the static text resource."


@server.resource("test://template/{id}/data", name="template", description="Data by id", mime_type="text/plain")
def data(id: str) -> str:
    return f"Data for {id}"


@server.completion()
async def complete(_reference, argument, _context) -> Completion:
    return Completion(values=[each for each in ("alpha", "alpine", "beta") if each.startswith(argument.value)])


@server.prompt(description="A prompt")
def test_simple_prompt() -> str:
    return "This is a simple prompt for testing."


@server.prompt(description="A prompt with arguments")
def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


if sys.argv[1:] == ["http"]:
    server.run("streamable-http", port=int(os.environ["PORT"]))
else:
    server.run("stdio")
