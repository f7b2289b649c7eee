import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addFiles, writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { shopFiles } from "../../support/shop.ts";

const clone = join(import.meta.dirname, "../../..");

/** Boots an application where a package calls something otherwise, as a later version of it might; what it prints. */
function bootWith(packageName: string, from: string, to: string): string {
  const root = writeApp(shopFiles);
  const change = `${JSON.stringify(from)}, ${JSON.stringify(to)}`;
  addFiles(root, {
    "rename.mjs": `import { readFileSync } from "node:fs"; import Module, { register } from "node:module"; const usual = Module._extensions[".js"];
      Module._extensions[".js"] = (module, file) => file.includes("node_modules/${packageName}/")
        ? module._compile(readFileSync(file, "utf8").replaceAll(${change}), file) : usual(module, file);
      register("./load.mjs", import.meta.url);`,
    "load.mjs": `export async function load(url, context, next) {
      const loaded = await next(url, context);
      if (!url.includes("node_modules/${packageName}/") || loaded.format !== "module") return loaded;
      return { ...loaded, source: String(loaded.source).replaceAll(${change}) };
    }`,
  });
  const env = {
    ...process.env,
    NODE_ENV: "test",
    SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
    FW_VIEWS_COMPILE: "on",
    NODE_OPTIONS: "--import ./rename.mjs",
  };
  const { stdout, stderr } = spawnSync(process.execPath, [join(clone, "generators/bin/fw.js"), "routes"], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  return stdout + stderr;
}

describe("The private parts of dependencies", (it) => {
  for (const [packageName, from, to] of [
    ["objection", "_operations", "_ops"],
    ["liquidjs", "elseTemplates", "otherwise"],
    ["objection", "$$relationNames", "$$names"],
    ["objection", "$$queryProps", "$$given"],
    ["objection", "this.models", "this.instances"],
    ["knex", "_query(", "_ask("],
    ["tarn", ".free", ".idle"],
    ["tarn", "numUsed", "numBusy"],
    ["knex", "_method", "_kind"],
  ] as const) {
    it(`Boot fails and names the package when ${packageName} has no ${from}`, () => {
      const printed = bootWith(packageName, from, to);
      assert.match(printed, /FW_(?:DATABASE|VIEW)_PRIVATE/);
      assert.match(printed, `"${packageName}"`);
    });
  }

  it("Dependencies that are used below their public interface are pinned to the locked version", () => {
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(clone, "package.json"), "utf8"));
    const pinned = { ...dependencies, ...optionalDependencies };
    const locked = JSON.parse(readFileSync(join(clone, "package-lock.json"), "utf8"));
    const root = locked.packages[""];
    for (const name of ["knex", "objection", "liquidjs", "libsql", "mysql2", "hash-wasm", "polka"]) {
      assert.is(pinned[name], locked.packages[`node_modules/${name}`].version, name);
      assert.is(pinned[name], { ...root.dependencies, ...root.optionalDependencies }[name], name);
    }
  });
});
