import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pack } from "../examples/publish.ts";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { ensureBuilt, runCommand, temporaryFolder } from "./support.ts";

// The path of a plugin's author, from the documents alone: every file of docs/how-to/write-each-part-of-a-plugin.md is
// written and every command run, in its order. Where npm may install packages, from the packed file of the framework;
// else the framework, TypeScript and Node's types are linked, and npm installs the plugins without the network.

const clone = join(import.meta.dirname, "../..");
const guide = readFileSync(join(clone, "docs/how-to/write-each-part-of-a-plugin.md"), "utf8");
const isOffline = (await reasonToSkip("registry")) !== undefined;
const npm = { npm_config_audit: "false", npm_config_fund: "false", npm_config_update_notifier: "false" };
const env = { ...npm, ...(isOffline ? { npm_config_offline: "true" } : { npm_config_prefer_offline: "true" }) };

/** What each command of the guide printed, by its line and the folder that it ran in. */
const printed = new Map<string, string>();

async function run(line: string, cwd: string): Promise<void> {
  const { code, out, err } = await runCommand("sh", ["-c", line], cwd, env);
  if (code !== 0) throw new Error(`${line} exited ${code} in ${cwd}\n${out}${err}`);
  printed.set(`${cwd.split("/").pop()}: ${line}`, out + err);
}

/** Links a package, and its command, as npm would have put them there. */
function link(root: string, name: string, target: string, command?: [name: string, file: string]): void {
  const path = join(root, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
  if (!command) return;
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  symlinkSync(join(target, command[1]), join(root, "node_modules/.bin", command[0]));
}
function linkCompiler(root: string): void {
  link(root, "typescript", join(clone, "node_modules/typescript"), ["tsc", "bin/tsc"]);
  link(root, "@types/node", join(clone, "node_modules/@types/node"));
}

/** What `npx fw` runs in the application: plugins and command are then of one framework. */
const ownCommand = (app: string): string => {
  const own = join(app, "node_modules/.bin/fw");
  return existsSync(own) ? own : join(app, "../node_modules/.bin/fw");
};

/** A folder in which `npx fw` is the framework's command. */
async function workshop(): Promise<string> {
  await ensureBuilt();
  const folder = temporaryFolder();
  if (isOffline) {
    link(folder, "framewright", clone, ["fw", "generators/bin/fw.js"]);
    return folder;
  }
  const dependencies = { framewright: `file:${pack(clone)}` };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  await run("npm install", folder);
  return folder;
}

/** Follows the guide: the folder in which it ends. */
async function follow(folder: string): Promise<string> {
  let cwd = folder;
  for (const [, language, path, text] of guide.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)) {
    if (path !== undefined) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text!);
    } else if (language === "sh")
      for (const line of text!.trim().split("\n"))
        if (line.startsWith("cd ")) cwd = join(cwd, line.slice(3));
        else {
          if (isOffline && line === "npm install" && !cwd.endsWith("shop")) linkCompiler(cwd);
          await run(line, cwd);
        }
  }
  return cwd;
}

describe(`The path of a plugin's author${isOffline ? ", without the network" : ""}`, (it) => {
  let app: string;

  it("The files and commands of the guide make two packages that are tested, packed and installed in an application", async () => {
    app = await follow(await workshop());
    assert.match(printed.get("acme-shelf: npm test") ?? "", /pass 1\b/);
    assert.match(printed.get("acme-memory: npm test") ?? "", /pass 6\b/, "the suite of the slot");
    const files = (name: string) => readdirSync(join(app, "node_modules", name)).sort();
    assert.equal(files("acme-shelf"), [
      "README.md",
      "dist",
      "locales",
      "migrate",
      "package.json",
      "templates",
      "views",
    ]);
    assert.equal(files("acme-memory"), ["README.md", "dist", "package.json"]);
  }, 600_000);
  it("Its migrations, its generator, its commands and its job have done their work", async () => {
    assert.match(readFileSync(join(app, "signs/b-12.txt"), "utf8"), "*** B-12 ***");
    assert.match(printed.get("shop: npx fw acme:count") ?? "", "2 moves");
    assert.match(printed.get("shop: npx fw acme:tidy") ?? "", "Old moves are removed in the background");
    assert.match(printed.get("shop: npx fw jobs:work") ?? "", /1 job/);
    const plugins = printed.get("shop: npx fw plugins") ?? "";
    assert.match(plugins, /acme-shelf[^\n]*acmeShelf/);
    assert.match(plugins, /acme-memory[^\n]*sessions/);
    const { out } = await runCommand(ownCommand(app), ["hooks", "--all"], app);
    assert.match(out, /acmeShelf\.moved[^\n]*(?:\n[^\n]*)?acme-memory/);
    assert.match((await runCommand(ownCommand(app), ["jobs", "--schedules"], app)).out, "acme-shelf:tidy");
  }, 120_000);
  it("Its page, its panel, its filters, its type of fields and the tap of the other package are seen over HTTP", async () => {
    const { child, url } = await serveApp(app, { NODE_ENV: "development" }, "serve", [ownCommand(app)]);
    try {
      const visitor = new Client(url);
      const list = await visitor.page("/desk/tools");
      assert.match(list, "<code>B-12</code>");
      assert.match(list, /href="\/desk\/shelf"/);
      const found = await visitor.page("/desk/tools?filter%5Bplace%5D=c-3");
      assert.match(found, "Saw");
      assert.not.match(found, "Hammer");
      const record = await visitor.page("/desk/tools/1");
      assert.match(record, /Where it stood[\s\S]*<li>B-12<\/li>/);
      const shelf = await visitor.page("/desk/shelf");
      assert.match(shelf, /<li>Tool 2: aisle C<\/li><li>Tool 1: aisle B<\/li>/);
      assert.equal(await (await fetch(`${url}/acme-memory`)).json(), { last: null });
      const form = await visitor.page("/desk/tools/new");
      assert.match(form, 'placeholder="B-12"');
      const refused = await visitor.submit("/desk/tools/new", { "tool[name]": "Drill", "tool[place]": "nowhere" });
      assert.equal([refused.status, (await refused.text()).includes("is no place, as in B-12")], [422, true]);
      await visitor.submit("/desk/tools/new", { "tool[name]": "Drill", "tool[place]": "d-4" });
      assert.equal(await (await fetch(`${url}/acme-memory`)).json(), { last: "Tool 3 at D-4" });
      assert.match(visitor.cookie("acme") ?? "", /^[\w-]{43}$/);
      assert.match(await visitor.page("/desk/shelf"), "Tool 3: aisle D");
    } finally {
      child.kill("SIGTERM");
      await exitOf(child);
    }
  }, 120_000);
});
