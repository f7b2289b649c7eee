import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import createKnex from "knex";
import { Liquid } from "liquidjs";
import polka from "polka";
import { type Connection, PER_PAGE, POSTS } from "../data.ts";
import { answerBench } from "../served.ts";

// By hand: what a good developer writes with polka, knex and Liquid when no framework is there. No sessions, no CSRF.

const require = createRequire(import.meta.url);
const Base = require("knex/lib/dialects/better-sqlite3/index.js") as new (config: object) => object;
class Client_BetterSQLite3 extends Base {
  _driver() {
    return require("libsql") as unknown;
  }
}
const pragmas = (connection: Connection, done: (error: unknown, connection: Connection) => void) => {
  for (const text of ["busy_timeout = 1000", "foreign_keys = ON", "journal_mode = WAL", "synchronous = NORMAL"])
    connection.exec(`PRAGMA ${text}`);
  done(null, connection);
};
const knex = createKnex({
  client: Client_BetterSQLite3 as never,
  connection: { filename: process.argv[2]! },
  useNullAsDefault: true,
  pool: { min: 1, max: 1, afterCreate: pragmas },
});
const liquid = new Liquid({
  root: join(import.meta.dirname, "views"),
  extname: ".liquid",
  cache: true,
  outputEscape: "escape",
});
let queries = 0;
knex.on("query", () => queries++);

const posts = () =>
  knex("posts")
    .join("authors", "authors.id", "posts.author_id")
    .select("posts.id", "posts.title", "posts.status", "posts.created_at", "posts.author_id", "authors.name as author");

async function page(number: number) {
  const rows = await posts()
    .orderBy("posts.id", "desc")
    .limit(PER_PAGE)
    .offset((number - 1) * PER_PAGE);
  const [counted] = await knex("posts").count("* as total");
  const total = Number(counted!.total);
  return { rows, total, page: number, pages: Math.ceil(total / PER_PAGE) };
}
const find = (id: string) => posts().select("posts.body", "posts.updated_at").where("posts.id", id).first();

async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const part of req.setEncoding("utf8")) text += part;
  return new URLSearchParams(text);
}

const answer = (res: ServerResponse, type: string, body: string) =>
  res.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
async function render(res: ServerResponse, view: string, values: object): Promise<void> {
  answer(res, "text/html; charset=utf-8", (await liquid.renderFile(view, values)) as string);
}
const json = (res: ServerResponse, body: unknown) => answer(res, "application/json", JSON.stringify(body));

/** The pages that are linked: the first, the last, and those around the present one. */
const near = (page: number, pages: number) =>
  [...new Set([1, page - 1, page, page + 1, pages])].filter((number) => number >= 1 && number <= pages);

const app = polka()
  .get("/posts", async (req, res) => {
    const found = await page(Number(req.query.page ?? 1));
    await render(res, "index", { ...found, title: "Posts", numbers: near(found.page, found.pages), action: "index" });
  })
  .get("/posts.json", async (req, res) => {
    const { rows, total, page: number } = await page(Number(req.query.page ?? 1));
    json(res, { data: rows, meta: { total, page: number } });
  })
  .get("/posts/:id", async (req, res) => {
    const id = req.params.id!;
    const post = await find(id.replace(".json", ""));
    if (id.endsWith(".json")) json(res, { data: post });
    else await render(res, "show", { post, title: post.title });
  })
  .post("/posts", async (req, res) => {
    const form = await readForm(req);
    const now = new Date().toISOString();
    const values = {
      title: form.get("title"),
      body: form.get("body"),
      author_id: form.get("author_id"),
      created_at: now,
      updated_at: now,
    };
    const [id] = await knex("posts").insert({ ...values, status: "draft" });
    res.writeHead(303, { location: `/posts/${id}` }).end();
  });

app.listen(0, "127.0.0.1", () => {
  const { port } = (app.server as unknown as Server).address() as AddressInfo;
  const reset = async () => void (await knex("posts").where("id", ">", POSTS).delete());
  answerBench({ port, queries: () => queries, reset });
});
