import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { addConditions } from "../../generators/bin/conditions.js";
import { ensureBuilt, temporaryFolder, typeCheck } from "../generators/support.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client, openTestApplication, type TestApplication } from "../testing/index.ts";
import { type Block, blocksOf, follow, run, sendRequests } from "./followed_pages.ts";

// The pages of docs/tutorial/ are followed in their order, in one application: each begins where the one before ended, with its
// files and the rows of its database of development. Then the application is opened, and a page's requests are sent.

const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/tutorial");
const pages = readdirSync(folder).sort();
const textOf = (page: string) => readFileSync(join(folder, page), "utf8");
const isSoak = process.env.FW_TEST_SOAK !== undefined;
/** What the soak alone runs: an audit of some hundred routes, and the test that a scaffold wrote. */
const isLong = (line: string) => ["npx fw test tenancy", "npx fw test item"].includes(line);
const isRun = (line: string) => line !== "" && (isSoak || !isLong(line));
/** Every second page is type-checked, with what the one before left, and the last page's build compiles all; in the soak each is. */
const isChecked = (page: string) => isSoak || [3, 5, 7].includes(Number(page[0]));
const startsServer = ({ language, text }: Block) => language === "text" && text.includes("$ npx fw start");

describe("The tutorial", (it, { before }) => {
  const place = temporaryFolder();
  const app = join(place, "toolshed");
  /** Whether all pages so far were followed to their ends. */
  let isWhole = true;
  before(async () => {
    await ensureBuilt();
    addConditions(); // so that `#app/…` leads to the sources
  });

  it("Each page leads to the next, and the first lists all", () => {
    for (const [index, page] of pages.entries()) {
      const next = pages[index + 1];
      if (next) assert.match(textOf(page).trimEnd().split("\n").at(-1)!, `](${next}).`);
      if (index > 0) assert.ok(textOf(pages[0]!).includes(`](${page})`), page);
    }
  });
  for (const page of pages) {
    const blocks = blocksOf(textOf(page));
    const start = blocks.findIndex(startsServer);
    const [opened, served] = start < 0 ? [blocks, []] : [blocks.slice(0, start), blocks.slice(start)];

    it(`What docs/tutorial/${page} has people type runs and compiles, and its files are there`, async () => {
      assert.ok(isWhole, "a page before this one failed");
      isWhole = false;
      await follow(page === pages[0] ? await created(blocks, app) : blocks, app, isRun);
      for (const path of pathsIn(textOf(page))) assert.ok(existsSync(join(app, path)), `${page} names ${path}`);
      if (isChecked(page)) await checkTypes(app);
      isWhole = true;
    }, 600_000);
    it(`The requests of docs/tutorial/${page} are answered as it shows`, async () => {
      assert.ok(isWhole, "a page before this one, or its own commands, failed");
      await visit(app, join(place, page.replace(/\W/g, "_")), opened);
    });
    if (served.length > 0)
      it(`The application that docs/tutorial/${page} builds is served, and answers as it shows`, async () => {
        assert.ok(isWhole, "it was not built");
        await visitServed(app, served);
      });
  }
});

/** The files and folders of the application that the text of a page names. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:\.env|app|config|db|deploy|dist|packages|test)\b[\w./-]*)`/g)].map(([, path]) => path!);

async function checkTypes(app: string): Promise<void> {
  const { code, out } = await typeCheck(app);
  assert.is(code, 0, out);
}

/** Creates the application in the place of the test's own; the page's other blocks are left to follow. */
async function created(blocks: readonly Block[], app: string): Promise<Block[]> {
  const [first, ...rest] = blocks;
  const [create, enter, ...lines] = first!.text.trim().split("\n");
  assert.equal([create, enter], ["node generators/bin/fw.js new ../toolshed", "cd ../toolshed"]);
  await run(create!.replace("../toolshed", relative(root, app)), root);
  return [{ ...first!, text: lines.join("\n") }, ...rest];
}

/**
 * Sends a page's requests to the application, with the database that its commands fill. It is opened in a copy, since a process
 * loads a file once. Requests are those of a guest, unless `as ann@example.com` names a volunteer who is signed in.
 */
async function visit(app: string, copy: string, blocks: readonly Block[]): Promise<void> {
  const isCopied = (path: string) => !/\/(?:node_modules|dist|storage)$/.test(path);
  cpSync(app, copy, { recursive: true, filter: isCopied });
  symlinkSync(join(app, "node_modules"), join(copy, "node_modules"));
  const open = await openTestApplication({
    root: copy,
    database: `sqlite:${join(app, "storage/development.sqlite3")}`,
  });
  try {
    await sendRequests(blocks, async (who) => {
      if (open.application.kernel.has("jobs")) await doJobs(open);
      return who === undefined ? open.client() : open.signIn("volunteer", who);
    });
  } finally {
    await open.close();
  }
}

/** What is due is done before somebody looks at it, as the mail that an action sends. */
async function doJobs(app: TestApplication): Promise<void> {
  const { knex } = app.application.kernel.service("database");
  if (await knex.schema.hasTable("framewright_jobs")) await app.runJobs();
}

async function visitServed(app: string, blocks: readonly Block[]): Promise<void> {
  const { child, url } = await serveApp(app, { NODE_ENV: "production" }, "start");
  try {
    await sendRequests(blocks, async () => new Client(url));
  } finally {
    child.kill("SIGTERM");
    await exitOf(child);
  }
}
