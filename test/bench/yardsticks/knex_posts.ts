import { createRequire } from "node:module";
import createKnex from "knex";
import { type Connection, Driver, isNodeSqlite, PER_PAGE, POSTS } from "../data.ts";

// The queries of both servers that are written by hand: knex, on the same driver as ours.

const require = createRequire(import.meta.url);
const Base = require("knex/lib/dialects/better-sqlite3/index.js") as new (config: object) => object;
/** What knex expects of a driver: bindings as one list. */
class NodeDriver {
  readonly #database: Connection;
  constructor(file: string) {
    this.#database = new Driver(file);
  }
  prepare(sql: string) {
    const statement = this.#database.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (bindings: readonly unknown[]) => statement.all(...bindings),
      run: (bindings: readonly unknown[]) => statement.run(...bindings),
    };
  }
  exec(sql: string): void {
    this.#database.exec(sql);
  }
  close(): void {
    this.#database.close();
  }
}
class Client_BetterSQLite3 extends Base {
  _driver() {
    return isNodeSqlite ? NodeDriver : Driver;
  }
}
const pragmas = (connection: Connection, done: (error: unknown, connection: Connection) => void) => {
  for (const text of ["busy_timeout = 1000", "foreign_keys = ON", "journal_mode = WAL", "synchronous = NORMAL"])
    connection.exec(`PRAGMA ${text}`);
  done(null, connection);
};
export const knex = createKnex({
  client: Client_BetterSQLite3 as never,
  connection: { filename: process.argv[2]! },
  useNullAsDefault: true,
  pool: { min: 1, max: 1, afterCreate: pragmas },
});
let count = 0;
knex.on("query", () => count++);
export const queries = (): number => count;

const posts = () =>
  knex("posts")
    .join("authors", "authors.id", "posts.author_id")
    .select("posts.id", "posts.title", "posts.status", "posts.created_at", "posts.author_id", "authors.name as author");

export async function page(number: number) {
  const rows = await posts()
    .orderBy("posts.id", "desc")
    .limit(PER_PAGE)
    .offset((number - 1) * PER_PAGE);
  const [counted] = await knex("posts").count("* as total");
  const total = Number(counted!.total);
  return { rows, total, page: number, pages: Math.ceil(total / PER_PAGE) };
}
export const find = (id: string) => posts().select("posts.body", "posts.updated_at").where("posts.id", id).first();

export async function insert(form: URLSearchParams): Promise<number> {
  const now = new Date().toISOString();
  const values = {
    title: form.get("title"),
    body: form.get("body"),
    author_id: form.get("author_id"),
    created_at: now,
    updated_at: now,
  };
  const [id] = await knex("posts").insert({ ...values, status: "draft" });
  return id!;
}

export const reset = async (): Promise<void> => void (await knex("posts").where("id", ">", POSTS).delete());

/** The pages that are linked: the first, the last, and those around the present one. */
export const near = (page: number, pages: number): number[] =>
  [...new Set([1, page - 1, page, page + 1, pages])].filter((number) => number >= 1 && number <= pages);
