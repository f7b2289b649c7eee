import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { minVersion } from "semver";
import { assert, describe } from "../support/index.ts";
import { packFolder } from "../support/packing.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { reasonToSkip } from "../support/requirements.ts";
import { ensureBuilt, type Ran, runCommand, temporaryFolder } from "./support.ts";

const clone = join(import.meta.dirname, "../..");
const reason = await reasonToSkip("registry");

/** How each package manager installs what package.json lists. */
const managers = {
  npm: ["npm", "install", "--no-audit", "--no-fund", "--prefer-offline"],
  pnpm: ["npx", "--yes", "pnpm@10", "install", "--no-frozen-lockfile", "--prefer-offline"],
  yarn: ["npx", "--yes", "yarn@1.22.22", "install", "--silent", "--prefer-offline"],
} as const;

/** Milliseconds for what comes over the network. */
const DOWNLOADS_WITHIN = 300_000;

/** A plugin as its author packs it: built JavaScript, with a generator of its own. */
const plugin = {
  "package.json": JSON.stringify({
    name: "framewright-clock",
    version: "1.0.0",
    type: "module",
    exports: "./index.js",
    peerDependencies: { framewright: "*" },
  }),
  "index.js": `import { defineGenerator } from "framewright/generators";
    import { definePlugin } from "framewright/kernel";
    const face = defineGenerator({ name: "clock:face", summary: "Make a face", example: "fw generate clock:face round",
      args: "<shape>", directory: import.meta.dirname, run: ({ args, template }) => template("lib/" + args[0] + ".ts", "face.ts") });
    export const clock = () => definePlugin({ name: "clock", requires: ["host"],
      generators: { "clock:face": face }, apply() {} });`,
  "index.d.ts": `import type { Plugin } from "framewright/kernel"; export declare const clock: () => Plugin;`,
  "templates/face.ts.liquid": "export const hands = 2;\n",
};

const env = { NODE_ENV: "production", APP_URL: "http://127.0.0.1:3000" };

async function must(ran: Promise<Ran>): Promise<Ran> {
  const result = await ran;
  if (result.code !== 0) throw new Error(`exited ${result.code}\n${result.out}${result.err}`);
  return result;
}

/** Describes what an application does that this package manager installed. */
export function describeInstalled(name: keyof typeof managers): void {
  const [command, ...words] = managers[name];
  describe(`The package installed by ${name}, outside of the clone`, (it, { before }) => {
    let framework: string;
    let clock: string;
    before(async () => {
      if (reason !== undefined) return;
      await ensureBuilt();
      framework = process.env.FW_TEST_PACKED ?? packFolder(clone, temporaryFolder()).archive; // that of a release, or our own
      const source = temporaryFolder();
      mkdirSync(join(source, "templates"));
      for (const [path, text] of Object.entries(plugin)) writeFileSync(join(source, path), text);
      clock = packFolder(source, temporaryFolder()).archive;
    });

    const folder = temporaryFolder();
    const app = join(folder, "shop");
    const add = async (cwd: string, name: string, archive: string) => {
      const path = join(cwd, "package.json");
      const manifest = JSON.parse(readFileSync(path, "utf8")) as { dependencies?: Record<string, string> };
      manifest.dependencies = { ...manifest.dependencies, [name]: `file:${archive}` };
      writeFileSync(path, JSON.stringify(manifest, undefined, 2));
      await must(runCommand(command!, words, cwd));
    };
    const fw = (...args: string[]) => must(runCommand(join(app, "node_modules/.bin/fw"), args, app, env));

    it.unless(
      reason,
      "The package has at most 5.6 MB, of which code and declarations are less than 1.8; the rest is sources, maps, documents and assets",
      () => {
        assert.ok(statSync(framework).size < 5_600_000, String(statSync(framework).size));
        const files = readdirSync(join(clone, "dist"), { recursive: true, encoding: "utf8" });
        const code = files
          .filter((file) => /\.(?:js|d\.ts)$/.test(file))
          .map((file) => readFileSync(join(clone, "dist", file)));
        const packed = gzipSync(Buffer.concat(code)).byteLength;
        assert.ok(packed < 1_800_000, String(packed));
      },
    );
    it.unless(
      reason,
      `The package that ${name} installed creates an application that depends on the same packed file, and ${name} installs it`,
      async () => {
        writeFileSync(join(folder, "package.json"), '{ "private": true }');
        await add(folder, "framewright", framework);
        await must(runCommand(join(folder, "node_modules/.bin/fw"), ["new", "shop"], folder));
        const { dependencies } = JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
        assert.is(resolve(app, dependencies.framewright.replace("file:", "")), framework);
        await must(runCommand(command!, words, app));
      },
      DOWNLOADS_WITHIN,
    );
    it.unless(
      reason,
      `A plugin's package that ${name} installed adds its generator`,
      async () => {
        await add(app, "framewright-clock", clock);
        const config = join(app, "plugins.config.ts");
        const text = readFileSync(config, "utf8").replace("definePlugins([", "definePlugins([\n  clock(),");
        writeFileSync(config, `import { clock } from "framewright-clock";\n${text}`);
        assert.match((await fw("g")).out, "clock:face");
        await fw("g", "clock:face", "round");
        assert.is(readFileSync(join(app, "lib/round.ts"), "utf8"), plugin["templates/face.ts.liquid"]);
      },
      DOWNLOADS_WITHIN,
    );
    it.unless(reason, `An application that ${name} installed generates, migrates, type-checks and builds`, async () => {
      await fw("g", "fw:authlib:account", "user");
      await fw("g", "fw:pkg:portal", "site", "--public");
      await fw("g", "fw:res:scaffold", "Post", "title", "body:text?");
      await fw("db:migrate");
      await fw("g", "fw:res:conn", "Post", "--dest=site_portal");
      await must(runCommand(join(app, "node_modules/.bin/tsc"), ["-p", "tsconfig.json"], app));
      await fw("build");
    });
    it.unless(
      reason,
      "It type-checks with the oldest compiler that the package takes, which projects of others may have",
      async () => {
        const { peerDependencies } = JSON.parse(readFileSync(join(clone, "package.json"), "utf8"));
        const compiler = `--package=typescript@${minVersion(peerDependencies.typescript)}`;
        const line = ["exec", "--yes", "--prefer-offline", compiler, "--", "tsc"];
        const { out } = await must(runCommand("npm", [...line, "--version"], app));
        assert.match(out, `Version ${minVersion(peerDependencies.typescript)}`);
        await must(runCommand("npm", [...line, "-p", "tsconfig.json"], app));
      },
      DOWNLOADS_WITHIN,
    );
    it.unless(
      reason,
      `An application that ${name} installed starts, serves a page with its stylesheet, and exits 0`,
      async () => {
        const { child, url } = await serveApp(app, env, "start", [join(app, "node_modules/.bin/fw")]);
        try {
          const page = await fetch(`${url}/site/posts`);
          assert.is(page.status, 200);
          const style = /href="([^"]+\.css)"/.exec(await page.text())![1]!;
          assert.is((await fetch(new URL(style, url))).status, 200);
        } finally {
          child.kill("SIGTERM");
        }
        assert.is(await exitOf(child), 0);
      },
    );
  });
}
