import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Liquid } from "liquidjs";
import polka from "polka";
import { answerBench } from "../served.ts";
import { find, insert, near, page, queries, reset } from "./knex_posts.ts";

// By hand: what a good developer writes with polka, knex and Liquid when no framework is there. No sessions, no CSRF.

const liquid = new Liquid({
  root: join(import.meta.dirname, "views"),
  extname: ".liquid",
  cache: true,
  outputEscape: "escape",
});

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

const app = polka()
  .get("/posts", async (req, res) => {
    const found = await page(Number(req.query.page ?? 1));
    await render(res, "index", { ...found, title: "Posts", numbers: near(found.page, found.pages) });
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
    const id = await insert(await readForm(req));
    res.writeHead(303, { location: `/posts/${id}` }).end();
  });

app.listen(0, "127.0.0.1", () => {
  const { port } = (app.server as unknown as Server).address() as AddressInfo;
  answerBench({ port, queries, reset });
});
