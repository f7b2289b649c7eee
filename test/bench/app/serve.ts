import { openApplication, readSettings } from "framewright";
import { POSTS } from "../data.ts";
import { answerBench } from "../served.ts";

// Ours: the application in this folder as `fw start` runs it, with session, CSRF, policies and the standard shell.

const values = {
  NODE_ENV: "production",
  SECRET_KEY_BASE: "only for the bench ".repeat(4),
  DATABASE_URL: `sqlite:${process.argv[2]}`,
  ALLOWED_HOSTS: "127.0.0.1",
  LOG_LEVEL: "warn", // the yardsticks write no log either
};
const root = import.meta.dirname;
const application = await openApplication({ root, settings: readSettings({ root, values }) });
const { knex } = application.kernel.service("database");
let queries = 0;
knex.on("query", () => queries++);
const { port } = await application.listen(0, "127.0.0.1");
const reset = async () => void (await knex("posts").where("id", ">", POSTS).delete());
answerBench({ port, queries: () => queries, reset });
