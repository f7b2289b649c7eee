import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** What the yardsticks ask of the embedded driver. */
export interface Statement {
  columns(): unknown[];
  all(...bindings: unknown[]): Record<string, unknown>[];
  get(...bindings: unknown[]): Record<string, unknown>;
  run(...bindings: unknown[]): { lastInsertRowid: number };
}
export interface Connection {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}
type Driver = new (file: string) => Connection;
/** Whether Node's own library opens the file, as it does for ours. */
export const isNodeSqlite =
  Number.parseInt(process.versions.node, 10) >= 24 && process.env.DATABASE_SQLITE !== "libsql";
export const Driver = isNodeSqlite
  ? (process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as { DatabaseSync: Driver }).DatabaseSync
  : (require("libsql") as Driver);

export const AUTHORS = 100;
export const POSTS = 10_000;
export const PER_PAGE = 20;
/** Who is signed in where ours is measured. */
export const ADMIN = { login: "admin@bench.test", password: "only for the bench" };
export const FIRST_AT = Date.UTC(2026, 0, 1);

/** Opens the database as all three servers do. */
export function openData(file: string): Connection {
  const connection = new Driver(file);
  for (const pragma of ["busy_timeout = 1000", "foreign_keys = ON", "journal_mode = WAL", "synchronous = NORMAL"]) {
    connection.exec(`PRAGMA ${pragma}`);
  }
  return connection;
}

/** Writes the same rows on every run. */
export function writeData(file: string): void {
  const data = openData(file);
  data.exec(
    `create table authors (id integer primary key autoincrement, name varchar(255) not null, created_at datetime, updated_at datetime)`,
  );
  data.exec(`create table posts (id integer primary key autoincrement, title varchar(255) not null, body text, status varchar(20) not null default 'draft',
    author_id integer references authors (id), created_at datetime, updated_at datetime)`);
  data.exec("create index posts_author_id on posts (author_id)");
  data.exec("begin");
  const author = data.prepare("insert into authors (name, created_at, updated_at) values (?, ?, ?)");
  for (let id = 1; id <= AUTHORS; id++) author.run(`Author <${id}>`, at(id), at(id));
  const post = data.prepare(
    "insert into posts (title, body, status, author_id, created_at, updated_at) values (?, ?, ?, ?, ?, ?)",
  );
  for (let id = 1; id <= POSTS; id++)
    post.run(titleOf(id), bodyOf(id), statusOf(id), (id % AUTHORS) + 1, at(id), at(id));
  data.exec("commit");
  data.exec("pragma wal_checkpoint(truncate)");
  data.close();
}

export const titleOf = (id: number): string => `Post ${id} on salt & pepper`;
const statusOf = (id: number) => (id % 3 === 0 ? "draft" : "live");
const bodyOf = (id: number) => `The text of post ${id}. ${"It goes on for a while, as such texts do. ".repeat(6)}`;
const at = (id: number) => new Date(FIRST_AT + id * 60_000).toISOString().replace("T", " ").replace("Z", "");
