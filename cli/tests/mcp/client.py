"""The public client library against `jumar mcp`: started with the path of the command, it prints `ok` where all holds."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SWISH = """use jumar::prelude::*;
#[kernel]
pub fn swish<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(1.0)] scale: f32) {
    for t in tiles(x) {
        let v = x.at(t).load().cast::<f32>();
        y.at(t).store((v / ((v * -scale).exp() + 1.0)).cast::<T>());
    }
}
"""

X = {"shape": [3], "dtype": "f32", "data": [0, 1, "inf"]}

# Of each tool arguments that it takes, and some that it refuses.
CALLS = {
    "card": ({"tokens": 1000}, {"tokens": 1}),
    "grammar": ({"format": "lark"}, {"format": "xml"}),
    "check": ({"text": SWISH}, {"text": SWISH, "chip": "none"}),
    "fix": ({"text": SWISH.replace(".cast::<T>());", ");")}, {}),
    "fmt": ({"text": SWISH}, {"text": "fn main() {}"}),
    "emit": ({"text": SWISH}, {"text": SWISH.replace("exp", "expp")}),
    "run": ({"text": SWISH, "inputs": {"x": X}}, {"text": SWISH}),
    "cost": ({"text": SWISH, "shapes": {"x": [4096]}}, {"text": SWISH, "shapes": {}}),
    "explain": ({"name": "J0304"}, {"name": "J9999"}),
}


def of(value, *names):
    """A field under whichever of its names this version of the library has it."""
    return next(getattr(value, name) for name in names if hasattr(value, name))


async def main(command):
    async with stdio_client(StdioServerParameters(command=command, args=["mcp"])) as (read, write):
        async with ClientSession(read, write) as session:
            begun = await session.initialize()
            assert of(begun, "server_info", "serverInfo").name == "jumar"
            tools = {tool.name: tool for tool in (await session.list_tools()).tools}
            assert set(tools) == set(CALLS), set(tools) ^ set(CALLS)
            for name, (right, wrong) in CALLS.items():
                # The library holds structured content to the schema of the tool.
                done = await session.call_tool(name, right)
                assert not of(done, "is_error", "isError"), (name, done)
                assert of(done, "structured_content", "structuredContent"), (name, done)
                refused = await session.call_tool(name, wrong)
                assert of(refused, "is_error", "isError"), (name, refused)
            ran = await session.call_tool("run", CALLS["run"][0])
            data = of(ran, "structured_content", "structuredContent")["outputs"][0]["data"]
            assert data == [0, 0.7310586, "inf"], data
            for resource in (await session.list_resources()).resources:
                page = await session.read_resource(resource.uri)
                assert len(page.contents[0].text) > 1000, resource
                if str(resource.uri).endswith(".json"):
                    json.loads(page.contents[0].text)
            await session.send_ping()
            several = await asyncio.gather(*(session.call_tool("check", {"text": SWISH}) for _ in range(8)))
            assert all(of(one, "structured_content", "structuredContent")["ok"] for one in several)
    print("ok")


asyncio.run(main(sys.argv[1]))
