import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fw, fwOk, newApp, runFw } from "./support.ts";

/** The first page of an application that is served in an environment. */
async function firstPage(root: string, env: string): Promise<string> {
  const server = spawn(process.execPath, [fw, "serve", "--port=0"], {
    ...{ cwd: root, stdio: ["ignore", "pipe", "inherit"] },
    env: { ...process.env, NODE_ENV: env },
  });
  try {
    let printed = "";
    for await (const chunk of server.stdout!) {
      printed += String(chunk);
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
      if (url) return await (await fetch(`${url}/`)).text();
    }
    throw new Error(`the server ended: ${printed}`);
  } finally {
    const closed = once(server, "exit");
    server.kill();
    await closed;
  }
}

describe("The first page of a new application", (it, { before }) => {
  let root: string;
  before(async () => {
    await ensureBuilt();
    root = await newApp();
    await fwOk(root, "g", "fw:pkg:portal", "shop", "--public");
  });

  it("Has its name and its portals, and in development the next steps", async () => {
    const [visited, developed] = [await firstPage(root, "test"), await firstPage(root, "development")];
    for (const html of [visited, developed]) {
      assert.match(html, /<a class="fw-card-link" href="\/shop">Shop<\/a>/);
      assert.match(html, /<h1>[^<]+<\/h1>/);
    }
    assert.not.match(visited, /Next steps|npx fw|index\.liquid/);
    assert.match(developed, "Next steps");
  });

  it("Is that of a portal that is mounted there", async () => {
    const refused = await runFw(root, "g", "fw:pkg:portal", "site", "--public", "--at=site page");
    assert.match(refused.err, "--at");
    await fwOk(root, "g", "fw:pkg:portal", "site", "--public", "--at=/");
    assert.match(readFileSync(join(root, "config/routes.ts"), "utf8"), 'routes.mount(SitePortal, { at: "/" });');
    const html = await firstPage(root, "development");
    assert.match(html, ">Site<");
    assert.not.match(html, "Next steps");
  });
});
