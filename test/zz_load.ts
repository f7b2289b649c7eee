import { loadSakila, mysqlSchema } from "./generators/published_databases.ts";
import { mysqlStatement } from "./support/databases.ts";
const base = "mysql://root@127.0.0.1:33061/h2";
await mysqlStatement(base, "drop database if exists pull_sakila"); await mysqlStatement(base, "create database pull_sakila character set utf8mb4");
await loadSakila("mysql://root@127.0.0.1:33061/pull_sakila"); console.log(Object.keys(await mysqlSchema("mysql://root@127.0.0.1:33061/pull_sakila")).length);
