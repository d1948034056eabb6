# python client.py COMMAND ARGS…: what Python's SDK makes of the server.
import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:], env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        answer = await session.call_tool("list_clients", {})
        assert len(answer.structured_content["rows"]) == 2, answer
        refused = await session.call_tool("rank_trend", {"client": "nobody"})
        assert refused.is_error, refused
        print(f"{len(tools)} tools")


asyncio.run(main())
