import { setTimeout as sleep } from "node:timers/promises";
import { Accounts } from "./accounts.ts";
import type { Inbox } from "./inbox.ts";
import type { Ledger } from "./ledger.ts";
import { Member } from "./member.ts";
import type { People, Person } from "./people.ts";
import { Program } from "./program.ts";
import { Visitor } from "./visitor.ts";

/** What a person does next: the first whose share is reached. */
const shares = [
  ["read", 30],
  ["note", 15],
  ["edit", 10],
  ["upload", 9],
  ["order", 9],
  ["mail", 8],
  ["refresh", 9],
  ["signUp", 4],
  ["signIn", 3],
  ["otherTenant", 3],
] as const;
type Activity = (typeof shares)[number][0];

export interface LoadOptions {
  readonly people: People;
  readonly port: number;
  readonly ledger: Ledger;
  readonly inbox: Inbox;
  /** The mean of what a person waits between two activities, in milliseconds. */
  readonly pauseMs: number;
}

/** People that read, write and sign in until they are stopped. */
export class Load {
  readonly #lives: readonly Life[];
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: LoadOptions) {
    this.#lives = options.people.all.map((person) => new Life(person, options));
  }
  /** Signs everybody in. @throws where somebody can't */
  async enter(): Promise<void> {
    for (let first = 0; first < this.#lives.length; first += 5)
      await Promise.all(this.#lives.slice(first, first + 5).map((life) => life.enter()));
  }
  start(): void {
    this.#running = Promise.all(this.#lives.map((life) => life.run()));
  }
  /** Lets everybody end what they do. */
  async stop(): Promise<void> {
    for (const life of this.#lives) life.isOver = true;
    await this.#running;
  }
  /** Whether everybody is still who they were: one line for each who isn't. */
  async leave(): Promise<string[]> {
    const problems: string[] = [];
    for (const life of this.#lives) problems.push(...(await life.leave()));
    return problems;
  }
}

class Life {
  isOver = false;
  readonly #member: Member;
  readonly #program: Program;
  readonly #accounts: Accounts;
  readonly #options: LoadOptions;
  readonly #person: Person;

  constructor(person: Person, options: LoadOptions) {
    const { people, port, ledger, inbox } = options;
    const mark = people.tenants[person.tenant]!;
    const foreign = people.tenants.filter((tenant) => tenant !== mark);
    const visitor = (part: number, address = person.number) =>
      new Visitor({
        port,
        ledger,
        foreign,
        address: `127.${part}.${Math.floor(address / 250)}.${1 + (address % 250)}`,
      });
    this.#member = new Member({ visitor: visitor(1), ledger, person, tenant: mark });
    this.#program = new Program({ visitor: visitor(2), ledger, person });
    this.#accounts = new Accounts({ visitor: (number) => visitor(3, number), ledger, inbox, person, tenant: mark });
    this.#person = person;
    this.#options = options;
  }
  async enter(): Promise<void> {
    await this.#member.enter();
    await this.#program.enter();
  }
  async run(): Promise<void> {
    const { ledger, pauseMs } = this.#options;
    await sleep(Math.random() * pauseMs);
    while (!this.isOver) {
      const activity = next();
      await this.#do(activity).catch((error: Error) =>
        ledger.broken.push(`p${this.#person.number}, ${activity}: ${error.message}`),
      );
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
  async leave(): Promise<string[]> {
    return [...(await this.#member.leave()), ...(await this.#program.leave())];
  }
  #do(activity: Activity): Promise<void> {
    if (activity === "refresh") return this.#program.refresh();
    if (activity === "signUp" || activity === "signIn") return this.#accounts[activity]();
    return this.#member[activity]();
  }
}

function next(): Activity {
  let at = Math.random() * shares.reduce((sum, [, share]) => sum + share, 0);
  for (const [activity, share] of shares) {
    at -= share;
    if (at < 0) return activity;
  }
  return "read";
}
