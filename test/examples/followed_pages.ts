import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fw, runCommand, runFw, wordsOf } from "../generators/support.ts";
import { assert } from "../support/index.ts";
import type { Client } from "../testing/index.ts";

// How tests read the pages of docs/ that people follow. A fence with a path is a file (```ts app/models/post.ts), lines of
// ```sh are commands, and ```http holds requests and what their answers are.

export interface Block {
  language: string;
  info: string;
  text: string;
}

/** The fences of a page, in its order. */
export function blocksOf(page: string): Block[] {
  const found = page.matchAll(/^( *)```(\w+)(?: ([^\n]*))?\n([\s\S]*?)^ *```$/gm);
  return [...found].map(([, indent = "", language = "", info = "", body = ""]) => ({
    language,
    info,
    text: body.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

/** Whether a fence is a whole file, at the path that it is marked with. */
export const isFile = ({ language, info }: Block): boolean =>
  language !== "sh" && language !== "http" && /^[\w.-]+(\/[\w.-]+)*\.\w+$/.test(info);

/** Runs a command line, and fails with all that it printed unless it exits 0. */
export async function run(line: string, cwd: string): Promise<void> {
  const isPlain = line.startsWith("npx fw ") && !/[|&;<>$"\\]/.test(line);
  const ran = isPlain
    ? runFw(cwd, ...wordsOf(line).slice(2))
    : runCommand("sh", ["-c", line.replace(/^npx fw/, `node ${fw}`)], cwd);
  const { code, out, err } = await ran;
  assert.is(code, 0, `${line}\n${out}${err}`);
}

/** Files are written, and commands that `isRun` names run, in the order of the page. */
export async function follow(blocks: readonly Block[], app: string, isRun: (line: string) => boolean): Promise<void> {
  for (const block of blocks) {
    if (block.language === "sh") for (const line of block.text.split("\n")) if (isRun(line)) await run(line, app);
    if (!isFile(block)) continue;
    mkdirSync(dirname(join(app, block.info)), { recursive: true });
    writeFileSync(join(app, block.info), block.text);
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

/** Finds who requests a path: of `as ann@example.com` the login, of `as guest` "guest", undefined where the page names nobody. */
export type Visitors = (who: string | undefined, path: string) => Promise<Client>;

/** Sends what the ```http fences of a page request, and compares the answers. */
export async function sendRequests(blocks: readonly Block[], visitors: Visitors): Promise<void> {
  for (const { text } of blocks.filter(({ language }) => language === "http"))
    for (const group of text.trim().split(/\n\n+/)) await request(group.split("\n"), visitors);
}

/** `GET /path [as guest] [in de]` or `POST /path a=b&c=d`, then a status and texts that the answer holds, or lacks after `not`. */
async function request(lines: readonly string[], visitors: Visitors): Promise<void> {
  const [, verb, path, fields = "", who, language] =
    /^(GET|POST) (\S+)(?: ([^ ]+=\S*))?(?: as (\S+))?(?: in (\w+))?$/.exec(lines[0]!) ?? [];
  assert.ok(path, `not understood: ${lines[0]}`);
  const visitor = await visitors(who, path!);
  const client = speaking(language === undefined ? visitor : visitor.copy(), language);
  const values = Object.fromEntries(new URLSearchParams(fields));
  const answer =
    verb === "GET"
      ? await client.request(path!)
      : await (path!.endsWith(".json") ? sendJson(client, path!, values) : client.submit(path!, values));
  const text = (await answer.text()) + (answer.headers.get("location") ?? "");
  for (const line of lines.slice(1)) {
    const [, status, not, wanted] = /^(\d{3})?\s*(not )?(?:"(.*)")?$/.exec(line) ?? [];
    if (status) assert.is(answer.status, Number(status), `${lines[0]}\n${text.slice(0, 2000)}`);
    if (wanted) assert.is(text.includes(wanted), !not, `${lines[0]}: ${not ?? ""}"${wanted}"\n${text.slice(0, 4000)}`);
  }
}
