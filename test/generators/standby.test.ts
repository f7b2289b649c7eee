import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StandbyServers } from "../../generators/support/standby.ts";
import { assert, describe } from "../support/index.ts";
import { temporaryFolder } from "./support.ts";

/** A server as `fw dev` starts them: it serves at once, or when it is called. */
const server = `
const serve = () => process.send("serving");
if (process.env.FW_DEV_SERVER === "now") serve();
else process.once("message", serve);
process.once("disconnect", () => process.exit());
setInterval(() => undefined, 1000);
`;

describe("Servers of fw dev", (it, { before, after }) => {
  const started: { child: ChildProcess; role: string | undefined }[] = [];
  let root: string;
  let servers: StandbyServers;
  before(() => {
    root = temporaryFolder();
    writeFileSync(join(root, "package.json"), "{}");
    servers = new StandbyServers(root, (env) => {
      const child = spawn(process.execPath, ["--eval", server], {
        env: { ...process.env, ...env },
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      started.push({ child, role: env.FW_DEV_SERVER });
      return child;
    });
  });
  after(() => {
    for (const { child } of started) child.kill("SIGKILL");
  });
  const serves = (child: ChildProcess) => once(child, "message");
  const ended = (child: ChildProcess) => (child.exitCode ?? child.signalCode ?? undefined) !== undefined;
  const roles = () => started.map(({ role }) => role);

  it("The next one is started once the first one serves, and serves when it is called", async () => {
    const first = servers.serve();
    await serves(first);
    assert.equal(roles(), ["now", "later"]);
    first.kill();
    await once(first, "exit");
    const second = servers.serve();
    assert.is(second, started[1]!.child);
    await serves(second);
    assert.equal(roles(), ["now", "later", "later"]);
  });
  it("One that has loaded other packages than those of now is replaced", async () => {
    const waiting = started.at(-1)!.child;
    utimesSync(join(root, "package.json"), new Date(), new Date(Date.now() + 5000));
    const child = servers.serve();
    assert.is.not(child, waiting);
    await Promise.all([serves(child), ended(waiting) || once(waiting, "exit")]);
    assert.equal(roles().slice(3), ["now", "later"]);
  });
  it("One that has loaded other files of the framework is dropped", async () => {
    const waiting = started.at(-1)!.child;
    servers.drop();
    await once(waiting, "exit");
    await serves(servers.serve());
    assert.equal(roles().slice(5), ["now", "later"]);
  });
  it("None stands by after the end", async () => {
    const waiting = started.at(-1)!.child;
    servers.end();
    await once(waiting, "exit");
    await serves(servers.serve());
    assert.is(started.length, 8);
    assert.is(started.at(-1)!.role, "now");
  });
});
