from mcp.server import MCPServer
from pydantic import BaseModel


class Echoed(BaseModel):
    text: str


server = MCPServer("mcp-python-peer")


@server.tool()
def echo(text: str) -> Echoed:
    """Returns the text that it is given."""
    return Echoed(text=text)


if __name__ == "__main__":
    server.run()
