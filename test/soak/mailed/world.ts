import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type Knex } from "framewright/plugins/database";
import type { Browser } from "playwright-core";
import { runIn, startAt } from "../../generators/production.ts";
import { ensureBuilt, fwOk, newApp, type Ran } from "../../generators/support.ts";
import { openServer, smtpTo } from "../../plugins/mailer/support.ts";
import { openBrowser, type Visit, type Visitor, visit } from "../../support/browser.ts";
import type { TestDatabase } from "../../support/databases.ts";
import { exitOf, freePort } from "../../support/processes.ts";
import { Inbox } from "./inbox.ts";

/** A generated application that `fw start` serves in production, with a mail server for what it sends. */
export interface MailedWorld {
  readonly url: string;
  readonly inbox: Inbox;
  /** Its database, as nobody but its owner looks into it. */
  readonly knex: Knex;
  visit(how: Visit): Promise<Visitor>;
  /** Runs fw with the application's own settings. @throws unless it exits 0 */
  run(words: readonly string[], input?: string): Promise<Ran>;
  /** All that the server has logged. */
  output(): string;
  close(): Promise<void>;
}

/** Users with every feature, and administrators, each with a portal. `edits`: what a developer changes in which file. */
export async function generateShop(edits: readonly Edit[] = []): Promise<string> {
  await ensureBuilt();
  const app = await newApp("shop");
  const g = (...words: string[]) => fwOk(app, "g", ...words);
  await g("fw:authlib:install");
  await g("fw:authlib:account", "user", "--kitchen_sink");
  await g("fw:authlib:admin");
  await g("fw:pkg:portal", "customer", "--auth=user");
  await g("fw:pkg:portal", "admin", "--auth=admin");
  await fwOk(app, "db:migrate");
  await g("fw:res:conn", "User", "--dest=admin_portal");
  for (const edit of edits) change(app, edit);
  await fwOk(app, "build");
  return app;
}

/** A product of one command: customers, organizations, members, invitations, profiles. */
export async function generateProduct(): Promise<string> {
  await ensureBuilt();
  const app = await newApp("product");
  await fwOk(app, "g", "fw:saas:setup", "--user=Customer", "--entity=Organization", "--roles=admin,member");
  await fwOk(app, "db:migrate");
  await fwOk(app, "build");
  return app;
}
export type Edit = readonly [file: string, from: string, to: string];

function change(app: string, [name, from, to]: Edit): void {
  const file = join(app, name);
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) throw new Error(`the generator wrote something else:\n${text}`);
  writeFileSync(file, text.replace(from, to));
}

/** Serves it behind a proxy that says where requests come from. */
export async function openMailedWorld(app: string, database: TestDatabase): Promise<MailedWorld> {
  const mails = await openServer();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { NODE_ENV: _, FW_SOURCE: __, NODE_OPTIONS: ___, SECRET_KEY_BASE: ____, ...clean } = process.env;
  const stored = { DATABASE_URL: `sqlite:${join(app, "storage/story.sqlite3")}`, ...(await database.values()) };
  const own = { NODE_ENV: "production", HOST: "127.0.0.1", APP_URL: url, TRUST_PROXY: "1", ...smtpTo(mails) };
  const env = { ...clean, ...own, ...stored, PASSWORD_PEPPER: "a-pepper-of-a-test-".repeat(3) };
  await runIn(app, env, ["db:migrate"]);
  const [{ child, output }, browser] = await Promise.all([startAt(app, port, env), openBrowser()]);
  const knex = connect({
    root: app,
    env: "production",
    url: stored.DATABASE_URL,
    pool: 2,
    acquireTimeout: 5000,
    busyTimeout: 5000,
  });
  return {
    url,
    inbox: new Inbox(mails, url, () => isSending(knex)),
    knex,
    visit: (how) => visitPatiently(browser, url, how),
    run: (words, input) => runIn(app, env, words, input),
    output,
    close: () => closeAll(browser, knex, child, mails),
  };
}

/** Hashing passwords takes long where the server, the browser and other tests share the cores. */
async function visitPatiently(browser: Browser, url: string, how: Visit): Promise<Visitor> {
  const visitor = await visit(browser, url, how);
  visitor.context.setDefaultTimeout(30_000);
  return visitor;
}

/** Whether a job is due or being done: mails are jobs, and so is what they wait for. */
async function isSending(knex: Knex): Promise<boolean> {
  const jobs = knex("framewright_jobs").whereIn("state", ["waiting", "running"]);
  return (await jobs.where("run_at", "<=", new Date(Date.now() + 1000)).first("id")) !== undefined;
}

async function closeAll(
  browser: Browser,
  knex: Knex,
  child: Awaited<ReturnType<typeof startAt>>["child"],
  mails: { close(): Promise<void> },
): Promise<void> {
  await browser.close();
  await knex.destroy();
  child.kill("SIGTERM");
  const code = await exitOf(child);
  await mails.close();
  if (code !== 0) throw new Error(`fw start exited ${code}`);
}
