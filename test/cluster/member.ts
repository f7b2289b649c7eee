import { setTimeout as sleep } from "node:timers/promises";
import { type Item, type Kind, type Ledger, type Outcome, outcomeOf } from "./ledger.ts";
import { PASSWORD, type Person } from "./people.ts";
import { type Form, locationOf, pause, type SentFile, type Visitor } from "./visitor.ts";

/** How often a step of a wizard is sent whose answer failed: that is what a wizard promises to bear. */
const TRIES = 6;

interface MemberOptions {
  readonly visitor: Visitor;
  readonly ledger: Ledger;
  readonly person: Person;
  /** The mark of the tenant. */
  readonly tenant: string;
}

/** A signed-in person in a browser, at work in a tenant. */
export class Member {
  readonly #options: MemberOptions;
  /** The addresses of own notes, and of those with a paper. */
  readonly #notes: string[] = [];
  readonly #papers: string[] = [];
  #base = "";

  constructor(options: MemberOptions) {
    this.#options = options;
  }
  async enter(): Promise<void> {
    const { visitor, person } = this.#options;
    visitor.sending = { kind: "sign-in" };
    const form = await visitor.form("/customers/login");
    if (form) await visitor.send(form, { login: person.login, password: PASSWORD });
    this.#base = locationOf(await visitor.request("/dashboard"));
    if (!/^\/dashboard\/\d+$/.test(this.#base)) throw new Error(`${person.login} could not sign in: ${this.#base}`);
    await this.note();
  }
  async leave(): Promise<string[]> {
    const { visitor, person } = this.#options;
    const { status } = await visitor.request(`${this.#base}/notes`);
    visitor.close();
    return status === 200 ? [] : [`${person.login} is signed in no more: ${status}`];
  }

  async read(): Promise<void> {
    const { visitor, ledger } = this.#options;
    const own = pick(this.#notes);
    const path = own !== undefined && Math.random() < 0.5 ? own : `${this.#base}/notes`;
    const answer = await visitor.request(path);
    const text = await answer.text();
    if (answer.status === 303) ledger.broken.push(`GET ${path} leads to ${locationOf(answer)}`);
    if (answer.status === 200 && !text.includes(this.#options.tenant)) ledger.broken.push(`GET ${path} lacks its mark`);
  }
  async otherTenant(): Promise<void> {
    const { visitor } = this.#options;
    const other = this.#base.replace(/\d+$/, (id) => String(Number(id) === 1 ? 4 : 1));
    await visitor.request(`${other}/notes`, {}, { kind: "other tenant", expected: [404] });
  }
  async note(): Promise<void> {
    const mark = this.#mark();
    const { answer } = await this.#write("note", `${this.#base}/notes/new`, mark, {
      "note[title]": mark,
      "note[body]": mark,
    });
    if (answer?.status === 303) this.#notes.push(locationOf(answer));
  }
  async edit(): Promise<void> {
    const path = pick(this.#notes);
    if (path === undefined) return;
    const mark = this.#mark();
    await this.#write("edit", `${path}/edit`, mark, { "note[body]": mark });
  }
  /** A note with a paper, or another paper for one that has one. */
  async upload(): Promise<void> {
    const path = Math.random() < 0.5 ? pick(this.#papers) : undefined;
    const mark = this.#mark();
    const file = { field: "note[paper]", name: `${mark}.txt`, text: `${mark}\n`.repeat(200) };
    const fields: Record<string, string> = path === undefined ? { "note[title]": mark, "note[body]": mark } : {};
    const { answer } = await this.#write(
      "upload",
      path ? `${path}/edit` : `${this.#base}/notes/new`,
      mark,
      fields,
      file,
    );
    if (answer?.status === 303 && !path) this.#papers.push(locationOf(answer));
  }
  async mail(): Promise<void> {
    const path = pick(this.#notes);
    if (path === undefined) return;
    const mark = this.#mark();
    await this.#write("mail", `${path}/actions/announce`, mark, { "interaction[mark]": mark });
  }
  /** A wizard to its end; sometimes the last step is sent twice at once, as by an impatient person. */
  async order(): Promise<void> {
    const { visitor, ledger, tenant } = this.#options;
    const mark = this.#mark();
    const launched = await visitor.request(`${this.#base}/order`);
    let at: string | undefined = launched.status === 303 ? locationOf(launched) : undefined;
    if (at) at = await this.#step(at, { "wizard[mark]": mark });
    if (at) at = await this.#step(at, { "wizard[buyer]": tenant });
    const form = at ? await visitor.form(at) : undefined;
    if (!form) return;
    const item = ledger.add("order", mark);
    visitor.sending = { kind: "order" };
    const twice = Math.random() < 0.2 ? visitor.send(form, {}) : undefined;
    item.outcome = this.#ended(await this.#insist(form, {}));
    if (twice && this.#ended(await twice) === "ok") item.outcome = "ok";
  }
  /** A wizard that ended leads to the portal; one that still needs an answer to its step. */
  #ended(answer: Response): Outcome {
    const outcome = outcomeOf(answer);
    return outcome === "ok" && locationOf(answer) !== this.#base ? "refused" : outcome;
  }

  async #step(path: string, fields: Record<string, string>): Promise<string | undefined> {
    const { visitor } = this.#options;
    const form = await visitor.form(path);
    if (!form) return undefined;
    visitor.sending = { kind: "order step" };
    const answer = await this.#insist(form, fields);
    return answer.status === 303 ? locationOf(answer) : undefined;
  }
  /** Sends a step until it is answered. */
  async #insist(form: Form, fields: Record<string, string>): Promise<Response> {
    const { visitor } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const answer = await visitor.send(form, fields);
      if (attempt === TRIES || outcomeOf(answer) !== "failed") return answer;
      await pause(answer);
    }
  }
  /** Fills a form in and sends it once: where no answer comes, it is not known whether it was done. */
  async #write(
    kind: Kind,
    path: string,
    mark: string,
    fields: Record<string, string>,
    file?: SentFile,
  ): Promise<{ item?: Item; answer?: Response }> {
    const { visitor, ledger } = this.#options;
    const form = await visitor.form(path);
    if (!form) return {};
    await sleep(50 + Math.random() * 100);
    visitor.sending = { kind };
    const record = /\/notes\/(\d+)/.exec(path)?.[1];
    const item = ledger.add(kind, mark, record);
    const answer = await visitor.send(form, fields, file);
    item.outcome = outcomeOf(answer);
    return { item, answer };
  }
  #mark(): string {
    const { ledger, tenant, person } = this.#options;
    return ledger.mark(tenant, person.number);
  }
}

const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];
