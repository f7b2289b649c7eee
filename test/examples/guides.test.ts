import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { addConditions } from "../../generators/bin/conditions.js";
import { temporaryFolder } from "../generators/support.ts";
import { assert, describe } from "../support/index.ts";
import { chromiumPath } from "../support/requirements.ts";
import { openTestApplication } from "../testing/index.ts";
import { type Block, blocksOf as fencesOf, follow, run, sendRequests } from "./followed_pages.ts";

// Every page of docs/ is followed: docs/getting-started.md makes the application, and each page of concepts/, how-to/ and
// coming-from/ changes a copy of it. A fence with a path is a file (```ts app/models/post.ts), `npx fw …` in ```sh is run, and
// so are tests by name (`npx fw test login`). ```http holds a request and what its answer begins with:
// `GET /admin/blogging/posts`, then `200 "First post"`.

const root = join(import.meta.dirname, "../..");
const docs = join(root, "docs");
const read = (path: string) => readFileSync(join(docs, path), "utf8");
const folders = ["concepts", "how-to", "coming-from"];
const pages = folders.flatMap((folder) => readdirSync(join(docs, folder)).map((name) => `${folder}/${name}`));
const LOGIN = "ann@example.com";

/** Parts of packages, which tests of their own compare with files, or follow. */
const isExcerpt = ({ info }: Block) => /^(?:fw-|acme-|shop\/)/.test(info);
const blocksOf = (page: string) => fencesOf(page).filter((block) => !isExcerpt(block));
const isTried = (blocks: readonly Block[]) =>
  blocks.some(
    ({ language, info }) => language === "http" || (language !== "sh" && info.includes("/")) || info.endsWith(".ts"),
  );

const isRun = (line: string) => /^npx fw (g|generate|db:migrate|types|audit:tenancy|test \w+)\b/.test(line);

describe("The documents", (it, { before }) => {
  const folder = temporaryFolder();
  const shop = join(folder, "shop");
  const copies = join(folder, "pages");
  before(async () => {
    addConditions(); // so that `#app/…` leads to the sources
    let cwd = root;
    for (const { language, text } of blocksOf(read("getting-started.md"))) {
      if (language !== "sh") continue;
      for (const line of text.trim().split("\n")) {
        if (line === "cd ../shop") cwd = shop;
        else if (!/^npx fw (dev|test|build|start)/.test(line))
          await run(line.replace("../shop", relative(root, shop)), cwd);
      }
    }
    symlinkSync(join(root, "node_modules/playwright-core"), join(shop, "node_modules/playwright-core"));
    if (existsSync(chromiumPath)) process.env.CHROMIUM_PATH = chromiumPath; // for a page's tests in a browser
  });

  it("The commands of docs/getting-started.md run and make the application", () => {
    assert.ok(existsSync(join(shop, "packages/admin_portal/app/policies/admin_portal/blogging/post_policy.ts")));
  });
  // each takes seconds: every ninth page here, all of them in the soak
  const tried = process.env.FW_TEST_SOAK === undefined ? pages.filter((_, index) => index % 9 === 0) : pages;
  for (const page of tried) {
    const blocks = blocksOf(read(page));
    if (!isTried(blocks)) continue;
    it(`The code of docs/${page} compiles, and its requests are answered as it says`, async () => {
      const app = join(copies, page.replace(/\W/g, "_"));
      cpSync(shop, app, { recursive: true, filter: (path) => !path.includes("node_modules") });
      symlinkSync(join(shop, "node_modules"), join(app, "node_modules"));
      await follow(blocks, app, isRun);
      await run("node node_modules/.bin/tsc -p tsconfig.json", app);
      await visit(app, blocks);
    });
  }
});

/** Boots the application, with an author, two posts and a person who is signed in, and sends the page's requests. */
async function visit(root: string, blocks: readonly Block[]): Promise<void> {
  const app = await openTestApplication({ root });
  try {
    const { kernel } = app.application;
    const { id } = await kernel.service("auth").createAccount("user", { email: LOGIN });
    const { knex } = kernel.service("database");
    const stamps = { created_at: new Date("2026-01-01"), updated_at: new Date("2026-01-01") };
    await knex("authors").insert({ name: "Ada", email: "ada@example.com", ...stamps });
    for (const title of ["First post", "Second post"])
      await knex("blogging_posts").insert({
        title,
        body: `Text of ${title}`,
        price_cents: 1250,
        author_id: 1,
        ...stamps,
      });
    const ann = await app.signIn("user", { id });
    await sendRequests(blocks, async (who, path) => {
      if (path.startsWith("/_fw/mails")) await app.runJobs(); // which send them
      assert.ok(who === undefined || who === "guest", `as ${who}: requests of guides are Ann's, or a guest's`);
      return who === "guest" ? app.client() : ann;
    });
  } finally {
    await app.close();
  }
}
