import { spawn } from "node:child_process";
import { once } from "node:events";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fw, fwOk, newApp } from "./support.ts";

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
});
