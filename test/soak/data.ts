import { createRequire } from "node:module";
import mysql from "mysql2/promise";
import { AUTHORS } from "./works.ts";

interface Connection {
  exec(sql: string): void;
  close(): void;
}
const Driver = createRequire(import.meta.url)("libsql") as new (file: string) => Connection;

/** The statements that make the tables, and so many rows of posts in one go. */
function statements(tables: readonly string[], rows: number, { id, now, text, count }: Dialect): string[] {
  const stamps = `created_at datetime${now ? "(3)" : ""}, updated_at datetime${now ? "(3)" : ""}`;
  const at = "'2026-01-01 10:00:00.000'";
  return [
    `create table authors (id ${id}, name varchar(255) not null, ${stamps})`,
    ...tables.flatMap((table) => [
      `create table ${table} (id ${id}, title varchar(255) not null, body text, status varchar(20) not null default 'draft', author_id integer, ${stamps}, foreign key (author_id) references authors (id))`,
      `create index ${table}_author_id on ${table} (author_id)`,
    ]),
    `insert into authors (name, created_at, updated_at) ${count(AUTHORS, `${text("Author ")}, ${at}, ${at}`)}`,
    `insert into posts (title, body, status, author_id, created_at, updated_at) ${count(rows, `${text("Post ")}, 'The text of a post. It goes on for a while.', 'live', (n % ${AUTHORS}) + 1, ${at}, ${at}`)}`,
  ];
}

interface Dialect {
  id: string;
  now: boolean;
  text(prefix: string): string;
  count(rows: number, columns: string): string;
}
const sqlite: Dialect = {
  id: "integer primary key autoincrement",
  now: false,
  text: (prefix) => `'${prefix}' || n`,
  count: (rows, columns) =>
    `with recursive s(n) as (select 1 union all select n + 1 from s where n < ${rows}) select ${columns} from s`,
};
const mariadb: Dialect = {
  id: "integer primary key auto_increment",
  now: true,
  text: (prefix) => `concat('${prefix}', n)`,
  count: (rows, columns) => `select ${columns} from (select seq as n from seq_1_to_${rows}) s`,
};

/** Writes a database file; gives the address. */
export function writeSqlite(file: string, tables: readonly string[], rows: number): string {
  const connection = new Driver(file);
  for (const statement of ["pragma journal_mode = WAL", "begin", ...statements(tables, rows, sqlite), "commit"])
    connection.exec(statement);
  connection.close();
  return `sqlite:${file}`;
}

/** Writes a schema on the server; gives the address, and how to drop it. */
export async function writeMysql(server: string, rows: number): Promise<{ address: string; drop(): Promise<void> }> {
  const name = `fw_soak_${process.pid}_${rows}`;
  const { hostname: host, port, username: user, password } = new URL(server);
  const run = async (...all: string[]) => {
    const connection = await mysql.createConnection({ host, port: Number(port || 3306), user, password });
    try {
      for (const statement of all) await connection.query(statement);
    } finally {
      await connection.end();
    }
  };
  await run(
    `create database ${name} character set utf8mb4`,
    `use ${name}`,
    ...statements(["posts"], rows, mariadb),
    "analyze table posts",
  );
  const address = new URL(server);
  address.pathname = `/${name}`;
  return { address: address.href, drop: () => run(`drop database if exists ${name}`) };
}
