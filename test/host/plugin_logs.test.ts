import { setTimeout as sleep } from "node:timers/promises";
import { writeApp } from "../support/apps.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { attackedFiles } from "./attacked.ts";
import { sendRaw } from "./raw.ts";

const plugin = `import { definePlugin } from "framewright/kernel";
  const faulty = definePlugin({ name: "faulty", requires: ["host"], apply({ services: { host }, hooks }) {
    let isBroken = true;
    host.health.add("queue", () => (isBroken ? "the queue is full" : undefined));
    host.hosts.add((name) => { if (name === "broken.test") throw new Error("the table is away"); return (name === "odd.test" ? "yes" : false) as boolean; });
    hooks.host.ready.tapPromise("faulty", async () => { if (isBroken) throw new Error("the disk is full"); return undefined; });
    hooks.host.request.tap("faulty", ({ path }) => { if (path === "/repair") isBroken = false; if (path === "/fail") throw new Error("the gate is stuck"); return undefined; });
    hooks.host.reply.tap("faulty", (_reply, { path }) => { if (path === "/plain") throw new Error("the stamp is dry"); });
  } });
  export default definePlugins([faulty, `;
const files = {
  ...attackedFiles,
  "plugins.config.ts": edited(attackedFiles, "plugins.config.ts", ["export default definePlugins([", plugin]),
};
const count = (text: string, words: string) => text.split(words).length - 1;

describe("The log of what plugins add to the host", (it, { before, after }) => {
  let app: Awaited<ReturnType<typeof serveApp>>;
  before(async () => {
    app = await serveApp(writeApp(files), { LOG_LEVEL: "info" });
  });
  after(async () => {
    app.child.kill("SIGTERM");
    assert.is(await exitOf(app.child), 0);
  });
  const logged = async (words: string) => {
    for (let attempt = 0; attempt < 50 && !app.output().includes(words); attempt++) await sleep(20);
    assert.match(app.output(), words);
  };
  const ready = async () => (await fetch(`${app.url}/readyz`)).text();

  it("A readiness check is logged with its reason when it begins to fail and when it succeeds again, not in between", async () => {
    const checks = ['the readiness check "queue"', 'the readiness check of the plugin "faulty"'];
    for (let request = 0; request < 3; request++) assert.match(await ready(), 'the check "queue" failed');
    await logged(`${checks[0]} failed: the queue is full`);
    await logged(`${checks[1]} failed: the disk is full`);
    await fetch(`${app.url}/repair`);
    for (let request = 0; request < 3; request++) assert.is(await ready(), "ready");
    for (const check of checks) {
      await logged(`${check} succeeds again`);
      assert.is(count(app.output(), `${check} failed`), 1);
      assert.is(count(app.output(), `${check} succeeds again`), 1);
    }
  });
  it("A host rule, a tap of host.request and a tap of host.reply that fail are logged by their plugin's name", async () => {
    const statusAt = async (host: string) =>
      (await sendRaw(app.url, `GET /count HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status;
    assert.is(await statusAt("broken.test"), 400);
    await logged('the plugin "faulty" failed to decide whether a host is served: the table is away');
    assert.is(await statusAt("odd.test"), 400);
    await logged('the plugin "faulty" decided with a string whether a host is served');
    assert.is((await fetch(`${app.url}/fail`)).status, 500);
    await logged('the plugin "faulty" failed in the hook "host.request": the gate is stuck');
    assert.is((await fetch(`${app.url}/plain`)).status, 500);
    await logged('the plugin "faulty" failed in the hook "host.reply": the stamp is dry');
    await logged("GET    /plain 500");
  });
});
