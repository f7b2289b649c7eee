import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openData, PER_PAGE, POSTS, type Statement } from "../data.ts";
import { answerBench } from "../served.ts";

// The limit: what one core does with nothing in between. No framework, no template, no query builder.

const data = openData(process.argv[2]!);
const COLUMNS = "posts.id, posts.title, posts.status, posts.created_at, posts.author_id, authors.name as author";
const JOIN = "from posts join authors on authors.id = posts.author_id";
const list = data.prepare(`select ${COLUMNS} ${JOIN} order by posts.id desc limit ? offset ?`);
const count = data.prepare("select count(*) as total from posts");
const one = data.prepare(`select ${COLUMNS}, posts.body, posts.updated_at ${JOIN} where posts.id = ?`);
const insert = data.prepare(
  "insert into posts (title, body, status, author_id, created_at, updated_at) values (?, ?, 'draft', ?, ?, ?)",
);
const erase = data.prepare("delete from posts where id > ?");
let queries = 0;
type Row = Record<string, unknown>;

const all = (statement: Statement, ...bindings: unknown[]): Row[] => {
  queries++;
  return statement.all(...bindings);
};
const total = () => Number(all(count)[0]!.total);

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (value: unknown) => String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);

const layout = (title: string, content: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · Bench</title><link rel="stylesheet" href="/assets/app.css"></head>
<body><nav><a href="/">Dashboard</a> <a href="/posts" aria-current="page">Posts</a> <a href="/authors">Authors</a></nav><main>${content}</main></body></html>`;

const row = ({ id, title, status, created_at, author_id, author }: Row) => `<tr>
<td><a href="/posts/${id}">${escaped(title)}</a></td><td><a href="/authors/${author_id}">${escaped(author)}</a></td><td><span class="status">${status}</span></td>
<td><time datetime="${created_at}">${created_at}</time></td>
<td><a href="/posts/${id}">Show</a> <a href="/posts/${id}/edit">Edit</a> <a href="/posts/${id}/delete">Delete</a></td></tr>`;

function index(page: number): string {
  const rows = all(list, PER_PAGE, (page - 1) * PER_PAGE)
    .map(row)
    .join("");
  const posts = total();
  const pages = Math.ceil(posts / PER_PAGE);
  return layout(
    "Posts",
    `<h1>Posts</h1><p>${posts} posts</p><table><thead><tr><th>Title</th><th>Author</th><th>Status</th><th>Created at</th><th></th></tr></thead>
<tbody>${rows}</tbody></table><nav><a href="/posts?page=${Math.max(1, page - 1)}">Previous</a> ${page} of ${pages} <a href="/posts?page=${Math.min(pages, page + 1)}">Next</a></nav>`,
  );
}

function show(id: number): string {
  const [{ title, body, status, author, author_id, created_at, updated_at }] = all(one, id) as [Row];
  return layout(
    escaped(title),
    `<h1>${escaped(title)}</h1><p><a href="/posts/${id}/edit">Edit</a> <a href="/posts/${id}/delete">Delete</a></p><dl><dt>Title</dt><dd>${escaped(title)}</dd>
<dt>Body</dt><dd>${escaped(body)}</dd><dt>Author</dt><dd><a href="/authors/${author_id}">${escaped(author)}</a></dd><dt>Status</dt><dd>${status}</dd>
<dt>Created at</dt><dd>${created_at}</dd><dt>Updated at</dt><dd>${updated_at}</dd></dl>`,
  );
}

const answer = (res: ServerResponse, type: string, body: string) =>
  res.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
const html = (res: ServerResponse, body: string) => answer(res, "text/html; charset=utf-8", body);
const json = (res: ServerResponse, body: unknown) => answer(res, "application/json", JSON.stringify(body));

function create(req: IncomingMessage, res: ServerResponse): void {
  let text = "";
  req.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  req.on("end", () => {
    const form = new URLSearchParams(text);
    const now = new Date().toISOString();
    queries++;
    const { lastInsertRowid } = insert.run(form.get("title"), form.get("body"), form.get("author_id"), now, now);
    res.writeHead(303, { location: `/posts/${lastInsertRowid}` }).end();
  });
}

const server = createServer((req, res) => {
  const [path = "", query] = req.url!.split("?");
  const page = Number(new URLSearchParams(query).get("page") ?? 1);
  if (req.method === "POST") return create(req, res);
  if (path === "/posts") return html(res, index(page));
  if (path === "/posts.json")
    return json(res, { data: all(list, PER_PAGE, (page - 1) * PER_PAGE), meta: { total: total(), page } });
  const id = Number(/\d+/.exec(path)?.[0]);
  return path.endsWith(".json") ? json(res, { data: all(one, id)[0] }) : html(res, show(id));
});
server.listen(0, "127.0.0.1", () => {
  const reset = () => void erase.run(POSTS);
  answerBench({ port: (server.address() as AddressInfo).port, queries: () => queries, reset });
});
