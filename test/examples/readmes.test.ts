import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openapi } from "../../plugins/openapi/index.ts";
import { personalData } from "../../plugins/personal_data/index.ts";
import standard from "../../plugins.config.ts";
import { ensureBuilt, fwOk } from "../generators/support.ts";
import { bootApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { deadLinks } from "../support/links.ts";
import { packFolder } from "../support/packing.ts";

// Documents are tested, both ways: what they name exists, what exists is named, and what they show runs.

const root = join(import.meta.dirname, "../..");
const layers = ["kernel", "host", "plugins", "generators", "test"];
const filesBelow = (directory: string): string[] =>
  readdirSync(join(root, directory), { recursive: true, encoding: "utf8" }).map((path) => join(directory, path));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const all = layers.flatMap(filesBelow).filter((path) => !path.includes("node_modules"));
const guides = filesBelow("docs").filter((path) => path.endsWith(".md"));
const top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];
const readmes = [...top, ...guides, ...all.filter((path) => path.endsWith("README.md"))];
const code = all
  .filter((path) => /\.(ts|js|liquid)$/.test(path))
  .map(read)
  .join("\n");

describe("The READMEs and guides", (it) => {
  it("Every error code in a README or guide exists in the code", () => {
    for (const path of readmes) {
      for (const [name] of read(path).matchAll(/\bFW_[A-Z][A-Z_]+[A-Z]\b/g)) {
        assert.ok(code.includes(name), `${path}: ${name}`);
      }
    }
  });
  it("Every relative link in a README or guide leads to a file that exists, and to a heading of it", () => {
    const files = ["docs", ".github", ...layers].flatMap(filesBelow).filter((path) => !path.includes("node_modules"));
    const documents = { files: [...files, ...readdirSync(root)], read };
    assert.equal(deadLinks(documents, [...readmes, "CHANGELOG.md"]), []);
  });
  it("Every relative link in a document of the package leads to a file of the package, and to a heading of it", async () => {
    await ensureBuilt();
    const { files } = packFolder(root);
    const documents = files.filter((path) => /\.md$|llms\.txt$/.test(path));
    for (const path of ["README.md", "CHANGELOG.md", "dist/reference.md"]) assert.ok(documents.includes(path), path);
    assert.equal(deadLinks({ files, read }, documents), []);
  });
  it("A dead link is named with its file and line: one to no file, to no heading, or to what the package lacks", () => {
    const texts: Record<string, string> = {
      "README.md":
        "# Shop\n\n[a](docs/a.md) [b](docs/b.md) `[c](c.md)`\n\n```md\n[d](d.md)\n```\n[e](docs/a.md#two-words)",
      "docs/a.md":
        "## Two `words`!\n\n## Two words\n\n[up](../README.md#shop) [own](#two-words-1) [far](../README.md#cart) [web](https://a.example/b.md)",
    };
    const documents = { files: Object.keys(texts), read: (path: string) => texts[path]! };
    assert.equal(deadLinks(documents, documents.files), ["README.md:3 docs/b.md", "docs/a.md:5 ../README.md#cart"]);
  });
  it("Every path in ARCHITECTURE.md and CONTRIBUTING.md exists", () => {
    for (const path of ["ARCHITECTURE.md", "CONTRIBUTING.md"])
      for (const [, name] of read(path).matchAll(/`((?:kernel|host|plugins|generators|test|docs)\/[\w/.-]*)`/g))
        assert.ok(existsSync(join(root, name!)), `${path}: ${name}`);
  });
  it("Every file that a README lists in a table exists in its folder", () => {
    for (const path of readmes.filter((file) => !top.includes(file))) {
      for (const [, name] of read(path).matchAll(/^\|[^|]*`([a-z_]+\.ts)`/gm)) {
        assert.ok(
          all.some((file) => file.startsWith(dirname(path)) && basename(file) === name),
          `${path}: ${name}`,
        );
      }
    }
  });
  it("Every layer and every plugin has a README, and plugins/README.md lists every plugin", () => {
    for (const layer of layers) assert.ok(readmes.includes(join(layer, "README.md")), layer);
    const table = read("plugins/README.md");
    for (const entry of readdirSync(join(root, "plugins"), { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      assert.ok(readmes.includes(join("plugins", entry.name, "README.md")), entry.name);
      assert.ok(table.includes(`[${entry.name}](${entry.name}/README.md)`), entry.name);
    }
  });
  it("Every command in README.md and the guides exists, and CHANGELOG.md names every command", async () => {
    const plugins = [...standard, personalData(), openapi()]; // an application adds the last two
    const ofPlugins = plugins.flatMap(({ commands = [] }) => commands.map(({ name }) => `  ${name}`));
    const out = [(await fwOk(root, "--help")).out, ...ofPlugins].join("\n");
    for (const path of ["README.md", ...guides])
      for (const [, name] of read(path).matchAll(/npx fw ((?!acme:)[a-z:-]+)/g)) assert.match(out, ` ${name}`); // those of the guide's own plugin
    const changes = read("CHANGELOG.md");
    for (const [, name] of out.matchAll(/^ {2}([a-z][a-z:-]+)/gm)) assert.ok(changes.includes(`\`${name}\``), name);
  });
  it("The plugin in plugins/README.md works as it is printed", async () => {
    const example = /```ts\n([\s\S]*?)```/.exec(read("plugins/README.md"))![1]!;
    const app = await bootApp({
      "lib/greeter.ts": example,
      "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { greeter } from "./lib/greeter.ts"; export default definePlugins([greeter({ word: "Servus" })]);`,
      "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => routes.get("hi/:name", { to: "hi#say" }));`,
      "app/controllers/hi_controller.ts": `import { BaseController } from "framewright"; import type {} from "../../lib/greeter.ts";
        export default class HiController extends BaseController { static override guests = "admit" as const; say() { return this.json(this.request.kernel.service("greeter").greet(this.params.string("name")!)); } }`,
    });
    assert.is(await (await app.request("/hi/Ada")).json(), "Servus, Ada");
    await app.close();
  });
  it("The list of plugins in the guides boots, and their modules load", async () => {
    const others = guides.filter((path) => !path.includes("password-hashes")); // which separate_hashes.test.ts tries
    const blocks = others.flatMap((path) => [...read(path).matchAll(/^( *)```ts\n([\s\S]*?)^ *```$/gm)]);
    assert.ok(blocks.length >= 3);
    const files = Object.fromEntries(
      blocks
        .map(([, indent, text]) => text!.replaceAll(new RegExp(`^${indent}`, "gm"), ""))
        .map((text, index) => [/definePlugins/.test(text) ? "plugins.config.ts" : `lib/example_${index}.ts`, text]),
    );
    const app = await bootApp({
      ...files,
      "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes(() => undefined);`,
    });
    for (const path of Object.keys(files)) await import(join(app.root, path));
    await app.close();
  });
});
