import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { createKey } from "../api_keys/keys_app.ts";
import { agent, fails, mcpFiles, openMcp } from "./mcp_app.ts";

const place = "/customer/1/mcp";
const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe("Options of mcp()", (it) => {
  it("More messages than a key may send within a minute are 429; another key goes on", async () => {
    const few = await openMcp({}, { "plugins.config.ts": edited(mcpFiles, "plugins.config.ts", ["mcp(),", 'mcp({ portals: ["CustomerPortal"], perMinute: 3, bulk: 1 }),']) }); // biome-ignore format: one line
    try {
      const headers = { ...bearer((await createKey(few, "ann", "*:read")).key), "content-type": "application/json", accept: "application/json, text/event-stream" }; // biome-ignore format: one line
      const send = () => few.request(place, { method: "POST", headers, body: JSON.stringify(list) });
      for (let count = 0; count < 3; count++) assert.is((await send()).status, 200);
      const refused = await send();
      assert.is(refused.status, 429);
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
      const other = await agent(few, place, (await createKey(few, "ann", "*:read")).key);
      assert.ok(other);
      assert.is((await few.request("/domain/mcp", { method: "POST", headers, body: "{}" })).status, 404);
    } finally {
      await few.close();
    }
  });

  it("A portal that does not exist is refused at boot, with the nearest name", async () => {
    const files = { "plugins.config.ts": edited(mcpFiles, "plugins.config.ts", ["mcp(),", 'mcp({ portals: ["CustomPortal"] }),']) }; // biome-ignore format: one line
    await fails(() => openMcp({}, files), /FW_MCP_PORTAL.*Did you mean "CustomerPortal"/s);
  });
});
