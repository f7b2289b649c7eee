import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type CommandContext, table, usage, withApp } from "framewright/generators";
import { errorTable, suggest } from "framewright/kernel";
import type { ModelInfo } from "framewright/plugins/database";
import type { ScopingService } from "../service.ts";
import { shardedTables } from "../shards/shard_keys.ts";
import { ShardCounter, type ShardReport } from "../shards/shard_report.ts";
import { statementsOf } from "../shards/statement_log.ts";

const environments = ["development", "test", "production"];
/** How many statements are printed; --json has all. */
const MAX_PRINTED = 40;
const MAX_CHARS = 160;

const errors = errorTable({
  FW_SHARDS_LOG: (path: string, why: string) =>
    `${path} can't be read: ${why}. Give the general log of MariaDB or MySQL, or a file with one statement a line.`,
  FW_SHARDS_EMPTY: (path: string) =>
    `${path} has no statement. Give the general log of MariaDB or MySQL, or a file with one statement a line.`,
  FW_SHARDS_TENANT: (given: string | undefined, known: readonly string[], meant: string | undefined) =>
    `${given === undefined ? "no portal, or several with different ones, are scoped to a tenant" : `there is no model "${given}"`}.${meant === undefined ? "" : ` Did you mean "${meant}"?`} Name it: --tenant=${known[0] ?? "Organization"}`,
});

/** Reads a log of statements, and prints which of them would need several shards. */
export default async function shards({ args: [path = ""], options }: CommandContext): Promise<void> {
  const { env, tenant, json } = options;
  if (env !== undefined && !environments.includes(String(env)))
    throw usage.FW_FLAG_CHOICE("--env", String(env), environments);
  await withApp(env === undefined ? {} : { env: String(env) }, async (app) => {
    const scopes = app.kernel.service("scoping", "fw db:shards") as ScopingService;
    const entity = entityOf(scopes, tenant === undefined ? undefined : String(tenant));
    const counter = new ShardCounter(shardedTables(scopes, entity));
    if ((await count(path, counter)) === 0) throw errors.FW_SHARDS_EMPTY(path);
    const report = counter.report();
    console.log(json ? JSON.stringify(report, null, 2) : textOf(report, entity));
  });
}

function entityOf(scopes: ScopingService, given: string | undefined): ModelInfo {
  const models = scopes.database.models();
  const known = models.map(({ constant }) => constant);
  const found = given === undefined ? scopes.onlyEntity : models.find(({ constant }) => constant === given);
  if (!found) throw errors.FW_SHARDS_TENANT(given, known, given && suggest(given, known));
  return found;
}

async function count(path: string, counter: ShardCounter): Promise<number> {
  let statements = 0;
  try {
    const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
    for await (const { connection, sql } of statementsOf(lines)) {
      counter.add(connection, sql);
      statements++;
    }
  } catch (error) {
    throw errors.FW_SHARDS_LOG(path, (error as Error).message);
  }
  return statements;
}

function textOf({ statements, crossing, transactions, indirect }: ShardReport, entity: ModelInfo): string {
  const counts = table(
    ["statements", "which"],
    [
      [String(statements.shard), `need the shard of one ${entity.constant}`],
      [String(statements.none), "read or write no table of tenants"],
      [String(statements.id), "name a row by its key, and no tenant: an index from keys to shards finds it"],
      [String(statements.join), "join rows of tenants with rows that all of them share"],
      [String(statements.every), "ask every shard"],
    ],
  );
  const listed = crossing
    .slice(0, MAX_PRINTED)
    .map(({ reach, count: times, text }) => [String(times), reach, text.slice(0, MAX_CHARS)]);
  const parts = [
    counts,
    ...(listed.length > 0 ? [table(["count", "reach", "statement"], listed)] : []),
    ...(crossing.length > MAX_PRINTED ? [`and ${crossing.length - MAX_PRINTED} more: --json has all`] : []),
    `${transactions.crossing} of ${transactions.count} transactions write in several places`,
    ...transactions.written.slice(0, MAX_PRINTED).map(({ count: times, tables }) => `  ${times} ${tables}`),
    ...indirect.map(
      ({ table: name, over }) => `${name} has no column of its tenant: it is reached over ${over.join(", ")}`,
    ),
  ];
  return parts.join("\n");
}
