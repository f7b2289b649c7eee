// Runs a slow select, prints the id of the process that it runs in, and waits to be killed.
import { readFileSync } from "node:fs";
import { openKernel, type Settings } from "framewright/kernel";
import { database } from "framewright/plugins/database";

const [file, sql] = process.argv.slice(2) as [string, string];
const settings = { root: ".", env: "test", databaseUrl: `sqlite:${file}` } as unknown as Settings;
const kernel = await openKernel([database({ statementTimeout: 0 })], { settings, values: process.env });
const { knex } = kernel.service("database");
await knex.raw("select 1"); // opens the connection
knex.raw(sql).catch(() => undefined);
const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim();
const look = setInterval(() => {
  if (children() === "") return;
  clearInterval(look);
  setTimeout(() => console.log(children()), 300);
}, 20);
