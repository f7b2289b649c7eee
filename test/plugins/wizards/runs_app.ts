import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openApp, type TestApp, writeApp } from "../../support/apps.ts";
import type { TestDatabase } from "../../support/databases.ts";
import { copyFixture } from "../../support/fixtures.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/wizards/schema.liquid"), "utf8");

/** A portal whose visitors are known by a header, with a wizard of each kind. */
export const runsFiles: Record<string, string> = {
  ...copyFixture("runs"),
  "db/migrate/20260101000001_create_framewright_wizard_runs.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema): Promise<void> {
    ${schema}}
    export async function down(db: Schema): Promise<void> { for (const name of ["leases", "events", "runs"]) await db.dropTable(\`framewright_wizard_\${name}\`); }`,
};

export const PEOPLE = 3;

/** Migrates an application's database, with some users in it. */
export async function migrateRuns(root: string, values: Record<string, string>): Promise<void> {
  const app = await openApp(root, { values });
  const database = app.application.kernel.service("database");
  await database.migrations.up();
  for (let id = 1; id <= PEOPLE; id++) await database.knex("users").insert({ name: `user ${id}` });
  await app.close();
}

export interface RunsApp extends TestApp {
  /** A request of a user, as JSON without cookies: it needs no token, and no page before it. */
  as(user: number, method: string, path: string, body?: object): Promise<Response>;
  /** POST of a step; what is typed under `wizard`. */
  send(user: number, path: string, typed?: object, direction?: string): Promise<Response>;
  rows(table: string): Promise<Record<string, unknown>[]>;
  moments: Record<string, ((run: { wizard: string }) => void | Promise<void>) | undefined>;
  events: { kind: string; wizard: string; step: string | undefined }[];
  /** How many requests came so far. */
  arrived: { requests: number };
}

/** The requests of users, by a header. */
export function requests(url: string) {
  const as = (user: number, method: string, path: string, body?: object) =>
    fetch(url + path, {
      method,
      redirect: "manual",
      headers: { "x-user": String(user), accept: "application/json", "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const send = (user: number, path: string, typed: object = {}, direction?: string) =>
    as(user, "POST", path, { wizard: typed, ...(direction === undefined ? {} : { _direction: direction }) });
  return { as, send };
}

export async function openRunsApp(
  values: Record<string, string>,
  changes: Record<string, string> = {},
  root = writeApp({ ...runsFiles, ...changes }),
): Promise<RunsApp> {
  if (values.migrated !== "yes") await migrateRuns(root, values);
  const app = await openApp(root, { values });
  const { moments, events, arrived } = await import(join(root, "app/seams.ts"));
  events.length = 0;
  const { knex } = app.application.kernel.service("database");
  return { ...app, ...requests(app.url), moments, events, arrived, rows: (table) => knex(table).orderBy("id") };
}

export const whereTo = (answer: Response): string => `${answer.status} ${answer.headers.get("location") ?? ""}`.trim();

interface Around {
  after(body: () => Promise<void>): void;
}
interface It {
  unless(reason: string | undefined, sentence: string, body: () => Promise<void>): void;
}
const emptied = ["invoices", "companies", ...["runs", "events", "leases"].map((name) => `framewright_wizard_${name}`)];

/** Stories on one application, each with no run in it. */
export function stories(base: TestDatabase, it: It, { after }: Around) {
  let app: RunsApp | undefined;
  after(async () => {
    await app?.close();
    await base.clean();
  });
  return (sentence: string, tell: (app: RunsApp) => Promise<void>): void =>
    it.unless(base.skip, sentence, async () => {
      app ??= await openRunsApp(await base.values());
      const { knex } = app.application.kernel.service("database");
      for (const table of emptied) await knex(table).delete();
      for (const moment of Object.keys(app.moments)) delete app.moments[moment];
      app.events.length = 0;
      await tell(app);
    });
}
