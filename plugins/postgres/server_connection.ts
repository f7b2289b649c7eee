import type { Client, ClientConfig } from "pg";
import { loadPg } from "./packages.ts";

/** Milliseconds for the server to end a statement that takes too long by itself, before its connection counts as dead. */
const GRACE_MS = 1000;

export interface SessionLimits {
  statementTimeout: number;
  lockTimeout: number;
}

interface Disposable extends Client {
  /** Why the pool is to drop it. */
  __knex__disposed?: unknown;
}
/** A connection of knex's pool: one of `pg`, with what the framework requires of connections. */
export interface ServerConnection extends Disposable {
  /** Statements that the server has not answered. */
  running: number;
  /** Whether its statements have a limit of time; not in migrations. */
  isTimed: boolean;
  beTimed(isTimed: boolean): Promise<void>;
  /** Runs a statement of a transaction so that its failure undoes it alone, as with the other databases. */
  undoable<T>(work: () => Promise<T>): Promise<T>;
  /** Ends it at once; the server rolls back. */
  destroy(): void;
}

/** Opens a connection: times in UTC, limits of time, no notices. `isPrimary`: a server that takes no writes is refused. */
export async function openConnection(
  config: ClientConfig,
  limits: SessionLimits,
  { isPrimary = false } = {},
): Promise<ServerConnection> {
  const pg = await loadPg();
  const client: Disposable = new pg.Client(config);
  client.on("error", (error) => {
    client.__knex__disposed = error;
  });
  client.on("end", () => {
    client.__knex__disposed ??= "Connection ended unexpectedly";
  });
  await client.connect();
  if (isPrimary) await refuseStandby(client);
  const setLimits = ({ statementTimeout, lockTimeout }: SessionLimits) =>
    client.query(`set statement_timeout = ${statementTimeout}; set lock_timeout = ${lockTimeout}`);
  await client.query("set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set client_min_messages = warning");
  await setLimits(limits);
  let turn: Promise<unknown> = Promise.resolve();
  const connection = Object.assign(client, {
    running: 0,
    isTimed: true,
    async beTimed(isTimed: boolean): Promise<void> {
      if (isTimed === connection.isTimed) return;
      await setLimits(isTimed ? limits : { statementTimeout: 0, lockTimeout: 50_000 });
      connection.isTimed = isTimed;
    },
    undoable<T>(work: () => Promise<T>): Promise<T> {
      const run = turn.then(() => insideSavepoint(client, work));
      turn = run.catch(() => undefined);
      return run;
    },
    destroy: () =>
      void (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy(),
  });
  return connection;
}

/** @throws an error as a standby itself gives it */
async function refuseStandby(client: Client): Promise<void> {
  const { rows } = await client.query("select current_setting('transaction_read_only') as state");
  if (rows[0].state !== "on") return;
  await client.end();
  throw Object.assign(new Error("the server is a standby, and takes no writes"), { code: "25006" });
}

/** A failed statement would end the whole transaction; it is undone alone where a savepoint is set before it. */
async function insideSavepoint<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query("savepoint fw_statement");
  try {
    const done = await work();
    await client.query("release savepoint fw_statement");
    return done;
  } catch (error) {
    await client.query("rollback to savepoint fw_statement; release savepoint fw_statement").catch(() => undefined);
    throw error;
  }
}

/** Waits for a server's answer no longer than so: a connection that got none is closed, and the pool makes another. */
export async function within<T>(limit: number, connection: ServerConnection, ask: () => Promise<T>): Promise<T> {
  connection.running++;
  let timer: NodeJS.Timeout | undefined;
  try {
    if (limit === 0) return await ask();
    return await new Promise<T>((resolve, reject) => {
      timer = setTimeout(() => {
        connection.destroy();
        reject(Object.assign(new Error("the server does not answer"), { code: "ETIMEDOUT" }));
      }, limit + GRACE_MS);
      ask().then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    connection.running--;
  }
}
