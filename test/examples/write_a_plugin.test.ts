import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/how-to/write-a-plugin.md"), "utf8");
const packages = ["fw-long-undo", "fw-acme", "fw-inbox"];

const sourcesOf = (name: string): [path: string, text: string][] =>
  readdirSync(join(import.meta.dirname, name), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:ts|js|json|liquid)$/.test(path) && !path.includes("node_modules"))
    .map((path) => [`${name}/${path}`, readFileSync(join(import.meta.dirname, name, path), "utf8")]);

describe("The page that leads to a published plugin", (it) => {
  it("What it shows of whole packages is their code", () => {
    const files = new Map(packages.flatMap(sourcesOf));
    const shown = [...guide.matchAll(/^```\w+ (fw-[\w-]+\/\S+)\n([\s\S]*?)^```$/gm)];
    assert.ok(shown.length >= 10, `${shown.length} excerpts`);
    for (const [, path, text] of shown)
      for (const part of text!.split(/^ *(?:\/\/ )?…\n/m))
        assert.ok(files.get(path!)?.includes(part), `${path} does not contain\n${part}`);
  });
});
