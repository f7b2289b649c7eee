import { setTimeout as sleep } from "node:timers/promises";
import { Client, formsOf } from "../testing/client.ts";

/** Each request on a connection of its own, so that any process may get it; what was answered is noted. */
export class RollingClient extends Client {
  readonly failures: string[];
  answers = 0;

  constructor(url: string, failures: string[]) {
    super(url);
    this.failures = failures;
  }
  override async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("connection", "close");
    const asked = `${init.method ?? "GET"} ${path}`;
    try {
      const answer = await super.request(path, { ...init, headers, signal: AbortSignal.timeout(30_000) });
      this.answers++;
      if (answer.status >= 400)
        this.failures.push(`${asked}: ${answer.status} ${(await answer.clone().text()).slice(0, 300)}`);
      return answer;
    } catch (error) {
      this.failures.push(`${asked}: ${(error as Error).cause ?? error}`);
      throw error;
    }
  }
  /** Fills in what a page asks for, and sends it. */
  async fillIn(path: string, html: string, value: string): Promise<Response> {
    const form = formsOf(html).find(({ fields }) => Object.keys(fields).some((name) => name.includes("[")));
    if (!form) throw new Error(`${path} has no form: ${html.slice(0, 400)}`);
    const body = new URLSearchParams();
    for (const [name, field] of Object.entries(form.fields))
      body.set(name, field.type === "text" && name.includes("[") ? value : field.value);
    return this.request(form.action, { method: "POST", body });
  }
}

/** What people do while releases change, and what has to be there afterwards. */
export class RollingLoad {
  readonly failures: string[] = [];
  readonly releases = new Set<number>();
  readonly titles: string[] = [];
  readonly jobs: string[] = [];
  readonly orders: string[] = [];
  readonly #url: string;
  readonly #clients: RollingClient[] = [];
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();
  #count = 0;

  constructor(url: string) {
    this.#url = url;
  }
  get answers(): number {
    return this.#clients.reduce((sum, { answers }) => sum + answers, 0);
  }

  start(): void {
    const works = [this.#reads, this.#writes, this.#edits, this.#enqueues, this.#orders];
    this.#running = Promise.all(works.map((work, index) => this.#repeat(index + 1, work.bind(this))));
  }
  /** Lets what was begun come to its end. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #repeat(user: number, work: (client: RollingClient) => Promise<void>): Promise<void> {
    const client = new RollingClient(this.#url, this.failures);
    this.#clients.push(client);
    await client.request(`/enter?user=${user}`);
    for (let turn = 0; !this.#isOver && turn < 5000 && this.failures.length < 20; turn++) {
      try {
        await work(client);
      } catch (error) {
        this.failures.push(String(error));
      }
      await sleep(60); // a process that deploys needs some of the machine, too
    }
  }
  #next(what: string): string {
    return `${what} ${++this.#count}`;
  }

  /** A list, and its style sheet: by another process perhaps, of the other release. */
  async #reads(client: RollingClient): Promise<void> {
    const { release, css } = (await (await client.request("/release")).json()) as { release: number; css: string };
    this.releases.add(release);
    await client.request(css);
    const page = await client.page("/office/posts");
    for (const [, path] of page.matchAll(/href="(\/assets\/framewright[^"]+)"/g)) await client.request(path!);
  }
  async #writes(client: RollingClient): Promise<void> {
    const title = this.#next("post");
    const path = "/office/posts/new";
    const answer = await client.fillIn(path, await client.page(path), title);
    if (answer.status === 303) this.titles.push(title);
    await client.request(answer.headers.get("location") ?? path);
  }
  async #edits(client: RollingClient): Promise<void> {
    const path = "/office/posts/1/edit";
    await client.fillIn(path, await client.page(path), "edited");
    await client.request("/office/posts/1");
  }
  async #enqueues(client: RollingClient): Promise<void> {
    const n = this.#next("job");
    const answer = await client.request(`/work?n=${encodeURIComponent(n)}`);
    const { kinds } = (await answer.json()) as { kinds: string[] };
    this.jobs.push(...kinds.map((kind) => `${kind} ${n}`));
  }
  /** A run from its launch to its end, whatever steps the process that answers has. */
  async #orders(client: RollingClient): Promise<void> {
    const name = this.#next("order");
    let at = "/office/order";
    for (let turn = 0; turn < 30; turn++) {
      const page = await client.request(at);
      if (at.startsWith("/office/posts")) return void this.orders.push(name);
      const answer = page.status === 200 ? await client.fillIn(at, await page.text(), name) : page;
      const location = answer.headers.get("location");
      at = location === null ? "/office/order" : new URL(location, this.#url).pathname;
    }
    throw new Error(`the run of ${name} did not end`);
  }
}
