import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { Eta } from "eta";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { ADMIN } from "../data.ts";
import { answerBench } from "../served.ts";
import { find, insert, knex, page, queries, reset } from "./knex_posts.ts";
import { hand, placesOf, type Row } from "./sent_values.ts";

// The same by hand: what somebody would write with fastify, knex and eta who wants our pages with what they do: a sealed session, the
// account that is signed in, tokens of forms, headers, what may be read and written, and rules. The pages are those that our server
// sent, as templates of eta.

interface Sent {
  readonly W1: string;
  readonly W2: string;
  readonly headers: Readonly<Record<string, string>>;
}
interface Session {
  readonly key: string;
  readonly csrf: string;
  readonly flash?: string;
}
interface Account {
  readonly id: number;
  readonly email: string;
}

const sent = JSON.parse(readFileSync(process.argv[3]!, "utf8")) as Sent;
const COOKIE = "session";
const sealKey = randomBytes(32);

function seal(session: Session): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", sealKey, iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(session), "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
}
function unseal(text: string): Session | undefined {
  try {
    const bytes = Buffer.from(text, "base64url");
    const cipher = createDecipheriv("aes-256-gcm", sealKey, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(12, 28));
    return JSON.parse(cipher.update(bytes.subarray(28), undefined, "utf8") + cipher.final("utf8")) as Session;
  } catch {
    return undefined;
  }
}

/** A token that is another one on every page: the signature, masked. */
function tokenFor({ csrf }: Session, what: string): string {
  const signature = createHmac("sha256", csrf).update(what).digest();
  const mask = randomBytes(signature.length);
  return Buffer.concat([mask, xor(mask, signature)]).toString("base64url");
}
function isToken({ csrf }: Session, what: string, given: string): boolean {
  const bytes = Buffer.from(given, "base64url");
  const signature = createHmac("sha256", csrf).update(what).digest();
  return bytes.length === 64 && timingSafeEqual(xor(bytes.subarray(0, 32), bytes.subarray(32)), signature);
}
const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, at) => byte ^ other[at]!));

/** A page that was sent as a template, whose values are those of other rows, and whose tokens are new. */
function templateOf(html: string, row: Row | undefined): string {
  let text = html.replaceAll(
    /(name="authenticity_token" value|name="csrf-token" content)="[^"]+"/g,
    (_, name: string) => `${name}="<%= it.token("${name.startsWith('name="csrf') ? "header" : "POST /posts"}") %>"`,
  );
  if (row)
    for (const [value, code] of placesOf(row))
      text = text.replaceAll(value, `<%~ ${code.replaceAll("by.", "it.by.")} %>`);
  return text;
}

const eta = new Eta({ cache: true });
const { rows: latest, total } = await page(1);
const [before, body, after] = sent.W1.split(/<tbody>|<\/tbody>/) as [string, string, string];
const drawn = body.slice(0, body.indexOf("</tr>") + 5);
const counted = (html: string) =>
  templateOf(html, undefined).replaceAll(hand.whole(total), "<%= it.by.whole(it.total) %>");
eta.loadTemplate(
  "@index",
  `${counted(before)}<tbody><% for (const row of it.rows) { %>${templateOf(drawn, latest[0] as Row)}<% } %></tbody>${counted(after)}`,
);
eta.loadTemplate("@show", `<% const row = it.row; %>${templateOf(sent.W2, (await find("77")) as Row)}`);

await knex.schema.createTable("accounts", (t) => {
  t.increments("id");
  t.string("email");
});
await knex.schema.createTable("sign_ins", (t) => {
  t.increments("id");
  t.integer("account_id");
  t.string("key").unique();
});
await knex("accounts").insert({ email: ADMIN.login });

/** What each role may read and write. */
const rules = {
  index: ["id", "title", "status", "created_at", "author_id", "author"],
  show: ["id", "title", "status", "created_at", "author_id", "author", "body", "updated_at"],
};
const permitted = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

interface Visit {
  readonly session: Session;
  readonly account: Account;
}
async function enter(request: FastifyRequest): Promise<Visit | undefined> {
  const cookie = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? "")?.[1];
  const session = cookie === undefined ? undefined : unseal(cookie);
  if (!session) return undefined;
  const found = await knex("sign_ins")
    .join("accounts", "accounts.id", "sign_ins.account_id")
    .where("sign_ins.key", session.key)
    .select("accounts.id", "accounts.email")
    .first();
  return found && { session, account: found as Account };
}
const cookieOf = (session: Session) => `${COOKIE}=${seal(session)}; Path=/; HttpOnly; SameSite=Lax`;
const draw = (reply: FastifyReply, view: string, { session }: Visit, values: object) =>
  reply
    .headers(sent.headers)
    .type("text/html; charset=utf-8")
    .send(eta.render(view, { ...values, by: hand, token: (what: string) => tokenFor(session, what) }));

const app = Fastify({ logger: false });
app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, text, done) =>
  done(null, new URLSearchParams(text as string)),
);
/** Signs in: the cookie of a session, and the token of the form. */
app.get("/sign-in", async (_request, reply) => {
  const session = { key: randomBytes(16).toString("hex"), csrf: randomBytes(32).toString("hex") };
  await knex("sign_ins").insert({ account_id: 1, key: session.key });
  return reply.header("set-cookie", cookieOf(session)).send({ token: tokenFor(session, "POST /posts") });
});
app.get<{ Querystring: { page?: string } }>("/posts", async (request, reply) => {
  const visit = await enter(request);
  if (!visit) return reply.redirect("/sign-in", 303);
  const found = await page(Number(request.query.page ?? 1));
  return draw(reply, "@index", visit, { ...found, rows: found.rows.map((row) => permitted(row, rules.index)) });
});
app.get("/posts.json", async (request, reply) => {
  if (!(await enter(request))) return reply.code(401).send();
  const { rows, total: all, page: number } = await page(1);
  return reply
    .headers(sent.headers)
    .send({ data: rows.map((row) => permitted(row, rules.index)), meta: { total: all, page: number } });
});
app.get<{ Params: { id: string } }>("/posts/:id", async (request, reply) => {
  const visit = await enter(request);
  if (!visit) return reply.redirect("/sign-in", 303);
  const { id } = request.params;
  const row = await find(id.replace(".json", ""));
  if (!row) return reply.code(404).send();
  const shown = permitted(row, rules.show);
  return id.endsWith(".json")
    ? reply.headers(sent.headers).send({ data: shown })
    : draw(reply, "@show", visit, { row: shown });
});
app.post("/posts", async (request, reply) => {
  const visit = await enter(request);
  const form = request.body as URLSearchParams;
  if (!visit || !isToken(visit.session, "POST /posts", form.get("authenticity_token") ?? ""))
    return reply.code(403).send();
  const title = form.get("title") ?? "";
  const author = await knex("authors").where("id", form.get("author_id")).first("id");
  if (title === "" || title.length > 255 || !author) return reply.code(422).send();
  const id = await insert(form);
  return reply
    .headers(sent.headers)
    .header("set-cookie", cookieOf({ ...visit.session, flash: `Post ${id} was created.` }))
    .redirect(`/posts/${id}`, 303);
});

await app.listen({ port: 0, host: "127.0.0.1" });
answerBench({ port: (app.server.address() as AddressInfo).port, queries, reset });
