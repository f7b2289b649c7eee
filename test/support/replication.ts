import { setTimeout as sleep } from "node:timers/promises";
import mysql from "mysql2/promise";
import { freePort, OwnMariadb } from "./processes.ts";

type Role = "primary" | "replica";
const FOLLOW_TIMEOUT_MS = 20_000;

/**
 * A MariaDB and a replica of it on 127.0.0.1, each a process that a test may stop. Tests that use it skip by
 * `reasonToSkip("mariadb")`, and call `remove()` in a `finally`.
 *
 * @example const servers = await ReplicatedMariadb.start(); await servers.run("replica", "stop slave sql_thread"); await servers.remove();
 */
export class ReplicatedMariadb {
  readonly primary: OwnMariadb;
  readonly replica: OwnMariadb;
  readonly #delay: number;

  /** `delay`: seconds that the replica is late. */
  static async start(delay = 0): Promise<ReplicatedMariadb> {
    const servers = new ReplicatedMariadb(await freePort(), await freePort(), delay);
    try {
      await Promise.all([servers.primary.install(), servers.replica.install()]);
      await Promise.all([
        servers.primary.start("--log-bin=primary", "--binlog-format=ROW", "--server-id=1", ...small, ...logging),
        servers.startReplica(),
      ]);
      await servers.follow();
      return servers;
    } catch (error) {
      await servers.remove();
      throw error;
    }
  }

  private constructor(primaryPort: number, replicaPort: number, delay: number) {
    this.primary = new OwnMariadb(primaryPort);
    this.replica = new OwnMariadb(replicaPort);
    this.#delay = delay;
  }

  startReplica(): Promise<void> {
    return this.replica.start("--server-id=2", "--read-only=ON", ...small, ...logging);
  }
  /** Has the replica follow the primary from its beginning. */
  async follow(): Promise<void> {
    const { port } = this.primary;
    await this.run("replica", "set global gtid_slave_pos = ''");
    await this.run(
      "replica",
      `change master to master_host='127.0.0.1', master_port=${port}, master_user='root', master_use_gtid=slave_pos, master_connect_retry=1, master_delay=${this.#delay}`,
    );
    await this.run("replica", "start slave");
  }
  /** Resolves when the replica has what the primary has now. */
  async caughtUp(): Promise<void> {
    const [{ position }] = (await this.run("primary", "select @@gtid_binlog_pos as position")) as [
      { position: string },
    ];
    const until = Date.now() + FOLLOW_TIMEOUT_MS;
    while (Date.now() < until) {
      const [row] = await this.run("replica", `select master_gtid_wait('${position}', 0.5) as outcome`);
      if (Number(row?.outcome) === 0) return;
      await sleep(100);
    }
    throw new Error("the replica did not catch up");
  }

  /** Runs a statement on one of the two, and returns its rows. */
  async run(role: Role, statement: string): Promise<Record<string, unknown>[]> {
    const connection = await mysql.createConnection({ host: "127.0.0.1", port: this[role].port, user: "root" });
    try {
      return (await connection.query(statement))[0] as Record<string, unknown>[];
    } finally {
      connection.destroy();
    }
  }
  /** How often a server was asked for a table of the database since its log was emptied. */
  async asked(role: Role, table: string): Promise<number> {
    const [row] = await this.run(
      role,
      `select count(*) as number from mysql.general_log where command_type in ('Query', 'Execute') and argument like 'select%from \`${table}\`%' and argument not like '%general_log%'`,
    );
    return Number(row!.number);
  }
  /** Empties the servers' logs. */
  async forget(): Promise<void> {
    await Promise.all((["primary", "replica"] as const).map((role) => this.run(role, "truncate mysql.general_log")));
  }

  async remove(): Promise<void> {
    await Promise.all([this.primary.remove(), this.replica.remove()]);
  }
}

const small = ["--innodb-buffer-pool-size=64M", "--innodb-flush-log-at-trx-commit=2", "--performance-schema=OFF"];
/** Statements are counted by what the server's own log has of them. */
const logging = ["--log-output=TABLE", "--general-log=ON"];
