import { Agent, type RequestOptions, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, formsOf } from "../testing/client.ts";
import type { Kind, Ledger } from "./ledger.ts";

const TIMEOUT_MS = 20_000;
const MAX_WAIT_MS = 3000;
/** How often a page is asked for that failed, as people and programs do; each failure counts. */
const TRIES = 4;

export interface Way {
  /** The port of nginx. */
  readonly port: number;
  readonly ledger: Ledger;
  /** The address on loopback that the visitor comes from, so that each has limits of their own. */
  readonly address: string;
  /** Marks that no answer may have. */
  readonly foreign: readonly string[];
}

/** What a request of a visitor is counted as, and whether it is refused rightly. */
export interface Sending {
  readonly kind: Kind;
  readonly expected?: readonly number[];
}

export interface Form {
  readonly action: string;
  readonly values: Readonly<Record<string, string>>;
}
export interface SentFile {
  readonly field: string;
  readonly name: string;
  readonly text: string;
}

/** A browser without JavaScript that comes through nginx, and counts what it sends and what it gets. */
export class Visitor extends Client {
  /** What POSTs are counted as. */
  sending: Sending = { kind: "read" };
  readonly #way: Way;
  readonly #agent: Agent;
  readonly #jar = new Map<string, string>();

  constructor(way: Way) {
    super("https://shop.test");
    this.#way = way;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 2, localAddress: way.address, rejectUnauthorized: false });
  }
  override keep(line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) this.#jar.set(name, value);
  }
  /** A GET is asked for again where it fails; anything else is sent once. */
  override async request(path: string, init: RequestInit = {}, read: Sending = { kind: "read" }): Promise<Response> {
    const isRead = (init.method ?? "GET") === "GET";
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#once(path, init, isRead ? read : this.sending);
      if (!isRead || attempt === TRIES || (answer.status < 500 && answer.type !== "error")) return answer;
      await pause(answer);
    }
  }
  /** The form of a page that is sent to the page's own address, else its first but for the menu's; undefined without the page. */
  async form(path: string): Promise<Form | undefined> {
    const answer = await this.request(path);
    if (answer.status !== 200) return undefined;
    const forms = formsOf(await answer.text());
    const own = forms.find(({ action }) => action === path);
    const found = own ?? forms.find(({ action }) => !action.endsWith("/logout"));
    if (!found) throw new Error(`${path} has no form`);
    const values = Object.entries(found.fields).filter(([, { type }]) => type !== "file");
    return { action: found.action, values: Object.fromEntries(values.map(([name, { value }]) => [name, value])) };
  }
  /** Sends a form once. */
  send({ action, values }: Form, fields: Record<string, string>, file?: SentFile): Promise<Response> {
    const all = Object.entries({ ...values, ...fields });
    if (!file) return this.request(action, { method: "POST", body: new URLSearchParams(all) });
    const body = new FormData();
    for (const [name, value] of all) body.append(name, value);
    body.append(file.field, new Blob([file.text], { type: "text/plain" }), file.name);
    return this.request(action, { method: "POST", body });
  }
  close(): void {
    this.#agent.destroy();
  }

  /** A response of the type "error" stands for no answer. */
  async #once(path: string, init: RequestInit, { kind, expected = [] }: Sending): Promise<Response> {
    const { ledger } = this.#way;
    const what = `${init.method ?? "GET"} ${path}`;
    const answer = await this.#send(path, init).catch((error: Error & { code?: string }) => error);
    if (answer instanceof Error) {
      ledger.count(kind, "failed", what, (answer as { code?: string }).code ?? answer.message);
      return Response.error();
    }
    const text = await answer.clone().text();
    for (const mark of this.#way.foreign) if (text.includes(mark)) ledger.leaks.push(`${what} has ${mark}`);
    const { status } = answer;
    if (expected.includes(status)) ledger.count(kind, "expected", what, String(status));
    else {
      const outcome = status >= 500 ? "failed" : status >= 400 ? "refused" : "ok";
      ledger.count(kind, outcome, what, `${status} ${outcome === "ok" ? "" : reasonIn(text)}`);
    }
    return answer;
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("host", "shop.test");
    if (this.#jar.size > 0) headers.set("cookie", [...this.#jar].map(([name, value]) => `${name}=${value}`).join("; "));
    const body = init.body == null ? undefined : new Response(init.body);
    const type = body?.headers.get("content-type");
    if (type && !headers.has("content-type")) headers.set("content-type", type);
    const bytes = body && Buffer.from(await body.arrayBuffer());
    if (bytes) headers.set("content-length", String(bytes.length));
    const method = init.method ?? "GET";
    const answer = await ask(
      { host: "127.0.0.1", port: this.#way.port, servername: "shop.test", agent: this.#agent, method, path },
      headers,
      bytes,
    );
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    return answer;
  }
}

function ask(options: RequestOptions, headers: Headers, body: Buffer | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    const asking = request({ ...options, headers: Object.fromEntries(headers) }, async (answer) => {
      try {
        const bytes = Buffer.concat((await answer.toArray()) as Buffer[]);
        const status = answer.statusCode ?? 0;
        const got = new Headers();
        for (const [name, value] of Object.entries(answer.headers))
          for (const each of [value].flat()) if (each !== undefined) got.append(name, each);
        resolve(new Response([204, 304].includes(status) ? null : bytes, { status, headers: got }));
      } catch (error) {
        reject(error); // it ended in the middle
      }
    });
    asking.setTimeout(TIMEOUT_MS, () => asking.destroy(new Error("no answer"))).on("error", reject);
    asking.end(body);
  });
}

/** As long as the answer asks for, or a moment. */
export async function pause(answer: Response): Promise<void> {
  const seconds = Number(answer.headers.get("retry-after") ?? 0.2);
  await sleep(Math.min(seconds * 1000, MAX_WAIT_MS));
}

/** Where an answer leads to, as a path. */
export const locationOf = (answer: Response): string =>
  (answer.headers.get("location") ?? "").replace(/^https:\/\/[^/]+/, "");

const reasonIn = (text: string): string => /FW_[A-Z_]+/.exec(text)?.[0] ?? /<title>([^<]*)/.exec(text)?.[1] ?? "";
