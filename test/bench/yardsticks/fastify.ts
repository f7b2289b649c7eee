import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Eta } from "eta";
import Fastify, { type FastifyReply } from "fastify";
import { answerBench } from "../served.ts";
import { find, insert, near, page, queries, reset } from "./knex_posts.ts";

// By hand, and fast: fastify, knex, and pages that eta compiles. No sessions, no CSRF.

const eta = new Eta({ views: join(import.meta.dirname, "views"), cache: true });
const app = Fastify({ logger: false });
app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
  done(null, new URLSearchParams(body as string)),
);
const render = (reply: FastifyReply, view: string, values: object) =>
  reply.type("text/html; charset=utf-8").send(eta.render(view, values));

app.get<{ Querystring: { page?: string } }>("/posts", async ({ query }, reply) => {
  const found = await page(Number(query.page ?? 1));
  return render(reply, "index", { ...found, title: "Posts", numbers: near(found.page, found.pages) });
});
app.get<{ Querystring: { page?: string } }>("/posts.json", async ({ query }) => {
  const { rows, total, page: number } = await page(Number(query.page ?? 1));
  return { data: rows, meta: { total, page: number } };
});
app.get<{ Params: { id: string } }>("/posts/:id", async ({ params: { id } }, reply) => {
  const post = await find(id.replace(".json", ""));
  return id.endsWith(".json") ? { data: post } : render(reply, "show", { post, title: post.title });
});
app.post("/posts", async ({ body }, reply) => reply.redirect(`/posts/${await insert(body as URLSearchParams)}`, 303));

await app.listen({ port: 0, host: "127.0.0.1" });
answerBench({ port: (app.server.address() as AddressInfo).port, queries, reset });
