import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, runCommand, snapshot, temporaryFolder, typeCheck } from "./support.ts";

/** One line each, in an order in which each finds what it needs. */
const lines = [
  ["fw:saas:setup", "--user=Customer", "--entity=Organization", "--api_client=ApiClient"],
  ["fw:authlib:admin"],
  ["fw:pkg:package", "blogging"],
  ["fw:res:scaffold", "Post", "title", "organization:belongs_to", "--dest=blogging"],
  ["fw:model", "Note", "text"],
  ["fw:res:field", "Blogging::Post", "body:text?"],
  ["fw:res:interaction", "Blogging::Post", "Publish"],
  ["fw:slugs:install"],
  ["fw:deletions:install"],
  ["fw:imports:install"],
  ["fw:background:install"],
  ["fw:notifications:install"],
  ["fw:saved_views:install"],
  ["fw:wizards:install"],
  ["fw:migration", "add_mood_to_notes", "mood:string?"],
  ["fw:wizard", "Onboarding", "--steps=company,billing", "--dest=dashboard_portal"],
  ["fw:dashboard", "Sales", "--dest=dashboard_portal"],
  ["fw:deploy"],
  ["fw:plugin", "bakery"],
];

/** The application as an editor on Windows leaves it: every text with CRLF. */
function writeCrlf(app: string): void {
  for (const [path, text] of Object.entries(snapshot(app)))
    if (/\.(ts|json|liquid|md)$/.test(path))
      writeFileSync(join(app, path), text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n"));
}

const recordsOf = (app: string): Record<string, string> => {
  const folder = join(app, ".framewright");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, "utf8")]));
};

describe("Generators in a folder with a space, on files whose lines end in CRLF", (it, { before }) => {
  let app: string;
  const clone = join(import.meta.dirname, "../..");
  const formatted = temporaryFolder();
  before(async () => {
    await ensureBuilt();
    const folder = join(temporaryFolder(), "my files");
    mkdirSync(folder);
    await fwOk(folder, "new", "shop");
    app = join(folder, "shop");
  });

  it("Each of them runs, keeps the line ends of what it edits, and what they wrote compiles and boots", async () => {
    for (const line of lines) {
      writeCrlf(app);
      const before = snapshot(app);
      await fwOk(app, "g", ...line);
      for (const [path, text] of Object.entries(snapshot(app)))
        if (before[path]?.includes("\r\n"))
          assert.not.match(text, /[^\r]\n/, `${line.join(" ")} mixed the line ends of ${path}`);
      if (line[0] === "fw:res:scaffold") {
        await fwOk(app, "db:migrate");
        writeCrlf(app);
        await fwOk(app, "g", "fw:res:conn", "Blogging::Post", "--dest=dashboard_portal");
      }
    }
    await fwOk(app, "db:migrate");
    await fwOk(app, "routes");
    const { code, out } = await typeCheck(app);
    assert.is(code, 0, out);
  });
  it("What they wrote is formatted: the formatter of the framework changes none of it", async () => {
    const written = Object.entries(snapshot(app)).filter(
      ([path]) => path.endsWith(".ts") && !path.startsWith("bakery/"),
    );
    for (const [path, text] of written) {
      mkdirSync(join(formatted, path, ".."), { recursive: true });
      writeFileSync(join(formatted, path), text.replaceAll("\r\n", "\n"));
    }
    const biome = join(clone, "node_modules/.bin/biome");
    const { formatter, javascript } = JSON.parse(readFileSync(join(clone, "biome.json"), "utf8"));
    writeFileSync(join(formatted, "biome.json"), JSON.stringify({ formatter, javascript }));
    const { code, out, err } = await runCommand(
      biome,
      ["format", "app", "config", "db/migrate", "packages", "test"],
      formatted,
    );
    assert.is(code, 0, out + err);
  });
  it("A product that is set up again changes neither files nor records", async () => {
    const files = snapshot(app);
    const records = recordsOf(app);
    await fwOk(app, "g", ...lines[0]!);
    assert.equal(snapshot(app), files);
    assert.equal(recordsOf(app), records);
  });
});
