import { createRequire } from "node:module";
import type { Host } from "./address.ts";
import type { Look } from "./hosts.ts";
import type { RawConnection } from "./session.ts";

const require = createRequire(import.meta.url);

/** Milliseconds that a host may take to answer a look. */
const LOOK_TIMEOUT_MS = 700;
const SYNCED = "4";

interface LookingConnection extends RawConnection {
  connect(done: (error: Error | null) => void): void;
  on(event: "error", listener: () => void): void;
  destroy(): void;
}
type Values = Readonly<Record<string, string | undefined>>;

/** What a server reports about itself; a server without a cluster has none of the names that begin with wsrep. */
async function valuesOf(connection: RawConnection): Promise<Values> {
  const [variables, status] = await Promise.all([
    rowsOf(
      connection,
      "show global variables where variable_name in ('wsrep_on', 'wsrep_reject_queries', 'read_only')",
    ),
    rowsOf(connection, "show global status where variable_name in ('wsrep_ready', 'wsrep_local_state')"),
  ]);
  const entries = [...variables, ...status].map((row) => Object.values(row)).map(([name, value]) => [name, value]);
  return Object.fromEntries(entries) as Values;
}

const rowsOf = (connection: RawConnection, sql: string) =>
  new Promise<Record<string, string>[]>((resolve, reject) => {
    connection.query(sql, (error, rows) => (error ? reject(error) : resolve(rows as Record<string, string>[])));
  });

const isOn = (value: string | undefined): boolean => value === "ON" || value === "1";
/** A node without quorum, or that still joins, takes connections and refuses statements. */
const takesStatements = (values: Values): boolean =>
  !isOn(values.wsrep_on) || (isOn(values.wsrep_ready) && (values.wsrep_reject_queries ?? "NONE") === "NONE");

/** Whether the server is a node of a Galera cluster. @throws an error as the node itself gives it, where it takes no statements */
export async function refuseUnready(connection: RawConnection): Promise<boolean> {
  const values = await valuesOf(connection);
  if (takesStatements(values)) return isOn(values.wsrep_on);
  throw Object.assign(new Error("the node is not ready for use"), {
    errno: 1047,
    code: "ER_UNKNOWN_COM_ERROR",
    sqlState: "08S01",
  });
}

/** Looks at hosts by connections of their own, with these options of the driver. */
export function hostLook(options: object): Look {
  const { createConnection } = require("mysql2") as { createConnection(options: object): LookingConnection };
  return async ({ host, port }: Host) => {
    const connection = createConnection({ ...options, host, port, connectTimeout: LOOK_TIMEOUT_MS });
    connection.on("error", () => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"silent">((resolve) => {
      timer = setTimeout(() => setImmediate(() => setImmediate(resolve, "silent")), LOOK_TIMEOUT_MS); // a busy process reads first what has come
    });
    try {
      return await Promise.race([ask(connection), late]);
    } finally {
      clearTimeout(timer);
      connection.destroy();
    }
  };
}

async function ask(connection: LookingConnection): Promise<"ready" | "answers" | "silent"> {
  try {
    await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
    const values = await valuesOf(connection);
    const isSynced = !isOn(values.wsrep_on) || values.wsrep_local_state === SYNCED;
    return takesStatements(values) && isSynced && !isOn(values.read_only) ? "ready" : "answers";
  } catch (error) {
    return typeof (error as { sqlState?: unknown }).sqlState === "string" ? "answers" : "silent"; // it has too many connections, or another password
  }
}
