import { writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { shopFiles } from "../../support/shop.ts";

/** Reports each module of the inspector that the process loads. */
const reporting = (() => {
  const hook = `export async function resolve(s, c, n) { const r = await n(s, c); if (/plugins.inspector/.test(r.url)) process._rawDebug("LOADED " + r.url); return r; }`;
  const data = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  return `--import=${data(`import { register } from "node:module"; register(${JSON.stringify(data(hook))});`)}`;
})();

async function served(values: Record<string, string>): Promise<{ output: string; status: number }> {
  const root = writeApp({ ...shopFiles });
  const { child, url, output } = await serveApp(root, { NODE_OPTIONS: reporting, ...values });
  const { status } = await fetch(`${url}/_fw`);
  child.kill("SIGTERM");
  assert.is(await exitOf(child), 0);
  return { output: output(), status };
}

describe("fw serve and /_fw", (it) => {
  it("In development it is added to the plugins of the application, and its address is printed", async () => {
    const { output, status } = await served({ NODE_ENV: "development" });
    assert.is(status, 200);
    assert.match(output, /^Requests: http:\/\/127\.0\.0\.1:\d+\/_fw$/m);
    assert.match(output, "LOADED ");
  });

  it("In production, and with FW_INSPECTOR=off no module of it is loaded", async () => {
    const closed = [
      {
        NODE_ENV: "production",
        SECRET_KEY_BASE: "3fA9c0d1e2B4586790a7bCdEf1234567890aBcDeF",
        ALLOWED_HOSTS: "127.0.0.1",
      },
      { NODE_ENV: "development", FW_INSPECTOR: "off" },
    ];
    for (const { output, status } of await Promise.all(closed.map((values) => served(values as never)))) {
      assert.is(status, 404);
      assert.not.match(output, "Requests:");
      assert.not.match(output, "LOADED");
    }
  });
});
