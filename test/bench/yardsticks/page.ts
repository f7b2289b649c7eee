import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openData, PER_PAGE, type Statement } from "../data.ts";
import { answerBench } from "../served.ts";
import { hand, placesOf, type Row } from "./sent_values.ts";

// Our own pages by hand: node:http, prepared statements, and literals that were cut from what our server sent. It gives the same
// bytes for the same rows, and refuses to start otherwise, so that what is between the two is what the framework costs.

type Draw = (row: Row, by: typeof hand) => string;

const data = openData(process.argv[2]!);
const sent = JSON.parse(readFileSync(process.argv[3]!, "utf8")) as { W1: string; W2: string };
const COLUMNS = "posts.id, posts.title, posts.status, posts.created_at, posts.author_id, authors.name as author";
const JOIN = "from posts join authors on authors.id = posts.author_id";
const list = data.prepare(`select ${COLUMNS} ${JOIN} order by posts.id desc limit ? offset ?`);
const count = data.prepare("select count(*) as total from posts");
const one = data.prepare(`select ${COLUMNS}, posts.body, posts.updated_at ${JOIN} where posts.id = ?`);
let queries = 0;
const all = (statement: Statement, ...bindings: unknown[]): Row[] => {
  queries++;
  return statement.all(...bindings);
};

/** A function that writes HTML as it was sent, with the values of another row in the places of this one's. */
function literal(html: string, places: readonly (readonly [text: string, code: string])[]): Draw {
  let marked = html;
  for (const [at, [text]] of places.entries()) marked = marked.replaceAll(text, `\0${at}\0`);
  const code = marked.split("\0").map((part, at) => (at % 2 === 0 ? JSON.stringify(part) : places[Number(part)]![1]));
  return new Function("row", "by", `return ${code.join("+")};`) as Draw;
}
const [before, rows, after] = sent.W1.split(/<tbody>|<\/tbody>/) as [string, string, string];
const [latest] = all(list, 1, 0) as [Row];
const drawRow = literal(rows.slice(0, rows.indexOf("</tr>") + 5), placesOf(latest));
const total = () => all(count)[0]!;
const places: [string, string][] = [[hand.whole(total().total), "by.whole(row.total)"]];
const [drawBefore, drawAfter] = [literal(before, places), literal(after, places)];
const drawShow = literal(sent.W2, placesOf(all(one, 77)[0]!));

function index(): string {
  const found = total();
  let body = "";
  for (const row of all(list, PER_PAGE, 0)) body += drawRow(row, hand);
  return `${drawBefore(found, hand)}<tbody>${body}</tbody>${drawAfter(found, hand)}`;
}
const show = (id: number): string => drawShow(all(one, id)[0]!, hand);

for (const [written, wanted] of [
  [index(), sent.W1],
  [show(77), sent.W2],
] as const) {
  const at = [...wanted].findIndex((character, place) => character !== written[place]);
  if (at < 0 && written.length === wanted.length) continue;
  const part = (text: string) => text.slice(Math.max(0, at - 80), at + 80);
  throw new Error(`A page by hand is not the one that our server sent: ${part(written)} in place of ${part(wanted)}`);
}

const server = createServer((req, res) => {
  const body = req.url === "/posts" ? index() : show(Number(req.url!.slice("/posts/".length)));
  res
    .writeHead(200, { "content-type": "text/html; charset=utf-8", "content-length": Buffer.byteLength(body) })
    .end(body);
});
server.listen(0, "127.0.0.1", () =>
  answerBench({ port: (server.address() as AddressInfo).port, queries: () => queries, reset: () => undefined }),
);
