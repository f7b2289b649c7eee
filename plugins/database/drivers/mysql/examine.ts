import type { Knex } from "knex";
import type { ServerFinding } from "../driver.ts";

const VARIABLES = [
  ...["sql_mode", "tx_isolation", "transaction_isolation", "time_zone", "max_connections", "log_bin", "binlog_format"],
  ...["wsrep_on", "wsrep_sync_wait", "innodb_autoinc_lock_mode", "read_only"],
];
type Values = Readonly<Record<string, string | undefined>>;

/** What `fw doctor` finds of a server: the settings that a connection of the application sees. */
export async function examineMysql(knex: Knex, pool: number): Promise<ServerFinding[]> {
  const values = await valuesOf(knex);
  const isCluster = values.wsrep_on === "ON";
  const problems = [...sessionProblems(values), ...serverProblems(values, pool)];
  if (isCluster) problems.push(...(await clusterProblems(knex, values)));
  const room = Math.floor(Number(values.max_connections) / pool);
  const detail = problems.length > 0 ? problems.join("; ") : `takes ${room} processes with a pool of ${pool}`;
  const findings = [{ what: "database server", ok: problems.length === 0, detail }];
  return isCluster ? [...findings, { what: "database cluster", ok: true, detail: ofCluster(values) }] : findings;
}

async function valuesOf(knex: Knex): Promise<Values> {
  const marks = VARIABLES.map(() => "?").join(", ");
  const [rows] = (await knex.raw(`show variables where variable_name in (${marks})`, VARIABLES)) as [Row[]];
  const [status] = (await knex.raw(
    "show status where variable_name in ('wsrep_cluster_size', 'wsrep_cluster_status')",
  )) as [Row[]];
  return Object.fromEntries([...rows, ...status].map(({ Variable_name, Value }) => [Variable_name, Value]));
}
interface Row {
  Variable_name: string;
  Value: string;
}

/** What each connection sets for itself; another knex, as from the hook `connect`, may not. */
function sessionProblems({ sql_mode = "", time_zone, ...values }: Values): string[] {
  const isolation = values.transaction_isolation ?? values.tx_isolation;
  return [
    ...(/STRICT_(?:TRANS|ALL)_TABLES/.test(sql_mode)
      ? []
      : ["sql_mode is not strict, so that values which don't fit are cut: add STRICT_TRANS_TABLES"]),
    ...(isolation === "READ-COMMITTED"
      ? []
      : [
          `transactions are ${isolation}, under which they don't see the rows that they waited for: set READ COMMITTED`,
        ]),
    ...(time_zone === "+00:00" || time_zone === "UTC"
      ? []
      : [`the time zone is ${time_zone}, and times that the server makes are not UTC: set time_zone = '+00:00'`]),
  ];
}

function serverProblems({ log_bin, binlog_format, max_connections, read_only }: Values, pool: number): string[] {
  return [
    ...(log_bin === "ON" && binlog_format === "STATEMENT"
      ? ["binlog_format is STATEMENT, which refuses writes under READ COMMITTED: set MIXED or ROW"]
      : []),
    ...(Number(max_connections) <= pool
      ? [`max_connections is ${max_connections}, and one process takes ${pool}: raise it, or lower database({ pool })`]
      : []),
    ...(read_only === "ON" ? ["it is read_only: name the primary server in DATABASE_URL"] : []),
  ];
}

async function clusterProblems(knex: Knex, values: Values): Promise<string[]> {
  const [rows] = (await knex.raw(
    "select table_name as name from information_schema.tables where table_schema = database() and engine <> 'InnoDB' order by table_name",
  )) as [{ name: string }[]];
  const tables = rows.map(({ name }) => name).join(", ");
  return [
    ...(values.innodb_autoinc_lock_mode === "2"
      ? []
      : ["innodb_autoinc_lock_mode is not 2, so that inserts of two nodes wait for each other: set it"]),
    ...(values.binlog_format === "ROW" ? [] : ["binlog_format is not ROW, which a cluster needs"]),
    ...(tables === "" ? [] : [`${tables} are not InnoDB, and are on one node alone: alter table … engine = InnoDB`]),
  ];
}

function ofCluster({ wsrep_cluster_size, wsrep_sync_wait = "0" }: Values): string {
  const waits = (Number(wsrep_sync_wait) & 1) === 1;
  const hint = waits
    ? "reads wait for what other nodes wrote before"
    : "a read may not have yet what was written on another node: wsrep_sync_wait=1 waits for it, where processes use different nodes";
  return `${wsrep_cluster_size} nodes; ${hint}`;
}
