import { spawn } from "node:child_process";
import { once } from "node:events";
import { type PostgresAddress, parseAddress } from "./address.ts";

/** How the programs of PostgreSQL reach a database: in their environment, where no other user reads the password. */
export function environmentOf({ config, hosts }: PostgresAddress): NodeJS.ProcessEnv {
  const { user, password, database, ssl } = config;
  const secret = typeof password === "string" ? { PGPASSWORD: password } : {};
  const servers = {
    PGHOST: hosts.map(({ host }) => host).join(","),
    PGPORT: hosts.map(({ port }) => port).join(","),
  };
  const own = { ...servers, PGDATABASE: database, PGSSLMODE: ssl ? "verify-full" : "disable" };
  return { ...process.env, ...own, ...secret, ...(user === undefined ? {} : { PGUSER: user }) };
}

/** Copies tables and rows of a database that is in use into an empty one, by `pg_dump` and `psql`. */
export async function dumpInto(address: string, empty: string): Promise<void> {
  const [source, target] = [parseAddress(address), parseAddress(empty)];
  const dump = spawn("pg_dump", ["--no-owner", "--no-privileges"], {
    env: environmentOf(source),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const load = spawn("psql", ["--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--output=/dev/null"], {
    env: environmentOf(target),
    stdio: ["pipe", "ignore", "pipe"],
  });
  load.stdin.on("error", () => undefined); // it ended early: its code reports it
  dump.stdout.pipe(load.stdin);
  await Promise.all([ended(dump), ended(load)]);
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk));
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(said.trim().split("\n")[0] || `it ended with ${code}`);
}
