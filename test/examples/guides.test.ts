import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { addConditions } from "../../generators/bin/conditions.js";
import { fw, runCommand, runFw, temporaryFolder, wordsOf } from "../generators/support.ts";
import { assert, describe } from "../support/index.ts";
import { chromiumPath } from "../support/requirements.ts";
import { type Client, openTestApplication, type TestApplication } from "../testing/index.ts";

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

interface Block {
  language: string;
  info: string;
  text: string;
}
/** Parts of packages, which tests of their own compare with files, or follow. */
const isExcerpt = ({ info }: Block) => /^(?:fw-|acme-|shop\/)/.test(info);
function blocksOf(text: string): Block[] {
  const found = text.matchAll(/^( *)```(\w+)(?: ([^\n]*))?\n([\s\S]*?)^ *```$/gm);
  const blocks = [...found].map(([, indent = "", language = "", info = "", body = ""]) => ({
    language,
    info,
    text: body.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
  return blocks.filter((block) => !isExcerpt(block));
}
const isTried = (blocks: readonly Block[]) =>
  blocks.some(
    ({ language, info }) => language === "http" || (language !== "sh" && info.includes("/")) || info.endsWith(".ts"),
  );

async function run(line: string, cwd: string): Promise<void> {
  const isPlain = line.startsWith("npx fw ") && !/[|&;<>$"\\]/.test(line);
  const ran = isPlain
    ? runFw(cwd, ...wordsOf(line).slice(2))
    : runCommand("sh", ["-c", line.replace(/^npx fw/, `node ${fw}`)], cwd);
  const { code, out, err } = await ran;
  assert.is(code, 0, `${line}\n${out}${err}`);
}
/** Files are written, and commands run, in the order of the page. */
async function follow(blocks: readonly Block[], app: string): Promise<void> {
  for (const { language, info, text } of blocks) {
    if (language === "sh")
      for (const line of text.split("\n"))
        if (/^npx fw (g|generate|db:migrate|types|audit:tenancy|test \w+)\b/.test(line)) await run(line, app);
    if (language === "sh" || language === "http" || !/^[\w.-]+(\/[\w.-]+)*\.\w+$/.test(info)) continue;
    mkdirSync(dirname(join(app, info)), { recursive: true });
    writeFileSync(join(app, info), text);
  }
}

/** The visitor, whose browser prefers a language. */
function speaking(client: Client, language: string | undefined): Client {
  if (language === undefined) return client;
  const request = client.request.bind(client);
  client.request = (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("accept-language", language);
    return request(path, { ...init, headers });
  };
  return client;
}

/** As a script of the portal's pages sends it. */
async function sendJson(client: Client, path: string, body: object): Promise<Response> {
  const [portal] = /^\/\w+/.exec(path)!;
  const token = /name="csrf-token" content="([^"]+)"/.exec(await client.page(portal))![1]!;
  const headers = { accept: "application/json", "content-type": "application/json", "x-csrf-token": token };
  return client.request(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** `GET /path [as guest] [in de]` or `POST /path a=b&c=d`, then a status and texts that the answer holds, or lacks after `not`. */
async function request(lines: readonly string[], signedIn: Client, app: TestApplication): Promise<void> {
  const [, verb, path, fields = "", guest, language] =
    /^(GET|POST) (\S+)(?: ([^ ]+=\S*))?( as guest)?(?: in (\w+))?$/.exec(lines[0]!) ?? [];
  assert.ok(path, `not understood: ${lines[0]}`);
  const client = speaking(guest ? app.client() : language === undefined ? signedIn : signedIn.copy(), language);
  if (path!.startsWith("/_fw/mails")) await app.runJobs(); // which send them
  const answer =
    verb === "GET"
      ? await client.request(path!)
      : path!.endsWith(".json")
        ? await sendJson(client, path!, Object.fromEntries(new URLSearchParams(fields)))
        : await client.submit(path!, Object.fromEntries(new URLSearchParams(fields)));
  const text = (await answer.text()) + (answer.headers.get("location") ?? "");
  for (const line of lines.slice(1)) {
    const [, status, not, wanted] = /^(\d{3})?\s*(not )?(?:"(.*)")?$/.exec(line) ?? [];
    if (status) assert.is(answer.status, Number(status), `${lines[0]}\n${text.slice(0, 2000)}`);
    if (wanted) assert.is(text.includes(wanted), !not, `${lines[0]}: ${not ?? ""}"${wanted}"\n${text.slice(0, 4000)}`);
  }
}

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
      await follow(blocks, app);
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
    const client = await app.signIn("user", { id });
    for (const { text } of blocks.filter(({ language }) => language === "http"))
      for (const group of text.trim().split(/\n\n+/)) await request(group.split("\n"), client, app);
  } finally {
    await app.close();
  }
}
