import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { assert, describe, reasonToSkip } from "../support/index.ts";

const clone = join(import.meta.dirname, "../..");
const reason = await reasonToSkip("registry");

describe("The documents as a site", (it, { before, after }) => {
  let copy: string;
  const dist = (path: string) => join(copy, ".site/dist", path);
  if (reason === undefined) {
    before(async () => {
      copy = mkdtempSync(join(tmpdir(), "fw-site-"));
      const isDocument = (path: string) =>
        !/(?:^|\/)(?:node_modules|dist|\.git)(?:\/|$)/.test(relative(clone, path)) &&
        (statSync(path).isDirectory() || path.endsWith(".md") || /docs\/(?:site|llms)|package\.json$/.test(path));
      for (const name of readdirSync(clone).filter((name) => !/^(?:node_modules|dist|\..*)$/.test(name)))
        cpSync(join(clone, name), join(copy, name), { recursive: true, filter: isDocument });
      await promisify(execFile)("npm", ["run", "-s", "docs"], { cwd: copy, timeout: 600_000 });
    });
    after(() => rmSync(copy, { recursive: true, force: true }));
  }

  it.unless(
    reason,
    "Every document of docs/ and every plugin's README is a page, and no link between them is dead",
    () => {
      const documents = readdirSync(join(copy, "docs"), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".md") && !path.startsWith("site/"))
        .map((path) => path.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html"));
      const plugins = readdirSync(join(copy, "plugins")).map((name) => `plugins/${name}/index.html`);
      const pages = [...documents, ...plugins.filter((path) => !path.endsWith(".md/index.html"))];
      assert.equal(
        pages.filter((path) => !existsSync(dist(path))),
        [],
      );
    },
  );

  it.unless(
    reason,
    "The sidebar leads to the tutorial, the concepts and the pages for people who come from elsewhere",
    () => {
      const page = readFileSync(dist("getting-started.html"), "utf8");
      for (const path of ["tutorial/1-a-new-application", "concepts/policy", "coming-from/filament"])
        assert.match(page, `href="/${path}"`);
    },
  );

  it.unless(reason, "The search has its index beside the pages, and no page loads anything from elsewhere", () => {
    const chunks = readdirSync(dist("assets/chunks"));
    const index = chunks.find((name) => name.startsWith("@localSearchIndexroot"));
    assert.ok(index, chunks.join());
    assert.match(readFileSync(dist(`assets/chunks/${index}`), "utf8"), /Give records states/);
    for (const page of ["index.html", "how-to/give-records-states.html"])
      assert.not.match(readFileSync(dist(page), "utf8"), /(?:src|href)="https?:[^"]+\.(?:js|css|woff2?)"/);
  });
});
