import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import mysql from "mysql2/promise";

/** Published databases, which lie beside the clone where there are any. */
const folder = join(import.meta.dirname, "../../../shared/databases");
export type Published = "chinook_sqlite.sql" | "sakila_mysql_schema.sql" | "northwind_postgres.sql";

/** Why a test with one of them is skipped. */
export const reasonWithout = (name: Published): string | undefined =>
  existsSync(join(folder, name)) ? undefined : `needs ../shared/databases/${name}`;
export const published = (name: Published): string => readFileSync(join(folder, name), "utf8").replace(/^\uFEFF/, "");

/** The statements of a script of MySQL's client, by its delimiters. */
function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let [delimiter, buffer] = [";", ""];
  for (const line of script.split("\n")) {
    const changed = /^DELIMITER (\S+)/.exec(line)?.[1];
    if (changed !== undefined) delimiter = changed;
    else if (!line.startsWith("--")) buffer += `${line}\n`;
    if (changed !== undefined || !buffer.trimEnd().endsWith(delimiter)) continue;
    const statement = buffer.trimEnd().slice(0, -delimiter.length).trim();
    if (statement !== "") statements.push(statement);
    buffer = "";
  }
  return statements;
}

/** One row of each table at least: the script has none. */
const rows = [
  "insert into language (name) values ('English'), ('Italian')",
  "insert into country (country) values ('Canada'), ('Peru')",
  "insert into city (city, country_id) values ('Lethbridge', 1), ('Lima', 2)",
  "insert into address (address, district, city_id, phone) values ('47 MySakila Drive', 'Alberta', 1, ''), ('28 MySQL Boulevard', 'Lima', 2, '')",
  "set foreign_key_checks = 0",
  "insert into staff (first_name, last_name, address_id, store_id, username) values ('Mike', 'Hillyer', 1, 1, 'Mike'), ('Jon', 'Stephens', 2, 1, 'Jon'), ('Ada', 'Lane', 2, 1, 'Ada')",
  "insert into store (manager_staff_id, address_id) values (1, 1), (2, 2)",
  "set foreign_key_checks = 1",
  "insert into customer (store_id, first_name, last_name, email, address_id, create_date) values (1, 'MARY', 'SMITH', 'mary@sakila.example', 1, '2006-02-14 22:04:36')",
  "insert into actor (first_name, last_name) values ('PENELOPE', 'GUINESS'), ('NICK', 'WAHLBERG')",
  "insert into category (name) values ('Action'), ('Drama')",
  "insert into film (title, description, release_year, language_id, special_features) values ('ACADEMY DINOSAUR', 'An epic drama', 2006, 1, 'Trailers,Commentaries'), ('ACE GOLDFINGER', null, 2006, 1, null)",
  "insert into film_actor (actor_id, film_id) values (1, 1)",
  "insert into film_category (film_id, category_id) values (1, 1)",
  "insert into inventory (film_id, store_id) values (1, 1)",
  "insert into rental (rental_date, inventory_id, customer_id, staff_id) values ('2005-05-24 22:53:30', 1, 1, 1)",
  "insert into payment (customer_id, staff_id, rental_id, amount, payment_date) values (1, 1, 1, 2.99, '2005-05-25 11:30:37')",
];

/** Fills an empty database of MariaDB with Sakila. */
export async function loadSakila(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const connection = await mysql.createConnection(url);
  const script = published("sakila_mysql_schema.sql").replaceAll(/\bsakila\./g, `${name}.`);
  const own = statementsOf(script).filter((one) => !/^(drop schema|create schema|use )/i.test(one));
  for (const statement of [...own, ...rows]) await connection.query(statement);
  await connection.end();
}

/** The definitions of all tables, views and triggers of a database of MariaDB, as it prints them. */
export async function mysqlSchema(url: string, names?: readonly string[]): Promise<Record<string, string>> {
  const connection = await mysql.createConnection(url);
  const [tables] = (await connection.query("show full tables")) as unknown as [Record<string, string>[]];
  const dumped: Record<string, string> = {};
  for (const row of tables) {
    const [name, type] = Object.values(row) as [string, string];
    if (names && !names.includes(name)) continue;
    const [[shown]] = (await connection.query(`show create table ${mysql.escapeId(name, true)}`)) as unknown as [
      [Record<string, string>],
    ];
    dumped[name] = `${type} ${Object.values(shown)[1]!.replace(/ AUTO_INCREMENT=\d+/, "")}`;
  }
  const [triggers] = (await connection.query("show triggers")) as unknown as [Record<string, string>[]];
  for (const { Trigger, Statement } of triggers) dumped[`trigger ${Trigger}`] = Statement!;
  await connection.end();
  return dumped;
}

interface Statement {
  all(): unknown[];
}
interface SqliteFile {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}
const open = (file: string): SqliteFile =>
  new (createRequire(import.meta.url)("libsql") as new (path: string) => SqliteFile)(file);

/** Runs a script on a file of SQLite, which is created where there is none. */
export function runSqlite(file: string, script: string): void {
  const database = open(file);
  database.exec(script);
  database.close();
}

/** The definitions of a file of SQLite, as they were written. */
export function sqliteSchema(file: string, names?: readonly string[]): Record<string, string> {
  const database = open(file);
  const rows = database
    .prepare("select name, sql, tbl_name as own from sqlite_master where sql is not null order by name")
    .all();
  database.close();
  const own = (rows as { name: string; sql: string; own: string }[]).filter((row) => !names || names.includes(row.own));
  return Object.fromEntries(own.map(({ name, sql }) => [name, sql]));
}
