import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the framework that this process runs. */
const framework = dirname(fileURLToPath(import.meta.resolve("framewright/package.json")));
const imports = { "#packages/*.ts": "./packages/*.ts", "#app/*.ts": "./app/*.ts", "#lib/*.ts": "./lib/*.ts" };

/** Writes an application into a temporary folder, which is removed when the process ends. Keys are paths, values their text. */
export function writeApplicationFiles(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "framewright-test-")));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "node_modules"));
  symlinkSync(framework, join(root, "node_modules/framewright"));
  const own = { "package.json": JSON.stringify({ name: "test-application", type: "module", imports }) };
  for (const [path, text] of Object.entries({ ...own, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
