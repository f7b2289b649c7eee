import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import mysql from "mysql2/promise";
import { exitOf, freePort } from "./processes.ts";

/** The server refuses to be root, and so does the transfer of a node's state. */
const USER = process.getuid?.() === 0 ? "mysql" : undefined;
/** The folder for temporary files of a run is closed to other users, as that of the server. */
const env = { ...process.env, TMPDIR: "/tmp" };
/** Ends a node with this process, however that ends. */
const ended = ["--pdeathsig=KILL", ...(USER ? [`--reuid=${USER}`, `--regid=${USER}`, "--init-groups"] : []), "--"];
/** Writes wait until a node that is silent is given up; by default for 5 s. */
const SUSPICION =
  "evs.keepalive_period=PT0.5S;evs.inactive_check_period=PT0.5S;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT5S";
const START_TIMEOUT_MS = 120_000;
const DATABASE = "test";

interface Node {
  readonly port: number;
  /** Of the cluster's own traffic: to each other, of what a node missed, of a whole state. */
  readonly base: number;
  readonly ist: number;
  readonly sst: number;
  readonly data: string;
  child?: ChildProcess;
}

/**
 * Nodes of a MariaDB Galera cluster on 127.0.0.1, with folders of their own, each a process that a test may kill. Tests that use
 * it skip by `reasonToSkip("galera")`, and call `stop()` in a `finally`.
 *
 * @example const cluster = await GaleraCluster.start(3); cluster.kill(0); await cluster.restart(0); await cluster.stop();
 */
export class GaleraCluster {
  readonly #directory: string;
  readonly #nodes: readonly Node[];
  readonly #end = () => {
    for (const { child } of this.#nodes) child?.kill("SIGKILL");
  };

  /** Starts so many nodes, about 10 s each; all are ready for use. */
  static async start(nodes = 3): Promise<GaleraCluster> {
    const directory = mkdtempSync("/tmp/fw-galera-");
    const all: Node[] = [];
    for (let index = 0; index < nodes; index++)
      all.push({
        ...{ port: await freePort(), base: await freePort(), ist: await freePort(), sst: await freePort() },
        data: join(directory, `node${index + 1}`),
      });
    const cluster = new GaleraCluster(directory, all);
    try {
      cluster.#install();
      for (let index = 0; index < nodes; index++) await cluster.#run(index, index === 0);
      await cluster.query(0, `create database if not exists ${DATABASE} character set utf8mb4`);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  private constructor(directory: string, nodes: readonly Node[]) {
    this.#directory = directory;
    this.#nodes = nodes;
    process.once("exit", this.#end);
  }

  /** The address of each node. */
  get urls(): string[] {
    return this.#nodes.map(({ port }) => `mysql://root@127.0.0.1:${port}/${DATABASE}`);
  }
  /** One address with all nodes, in this order; the first is number 0. */
  url(...order: number[]): string {
    const nodes = order.length > 0 ? order.map((index) => this.#nodes[index]!) : this.#nodes;
    return `mysql://root@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(",")}/${DATABASE}`;
  }

  /** Ends a node as a machine that fails does. */
  async kill(node: number): Promise<void> {
    const { child } = this.#nodes[node]!;
    child?.kill("SIGKILL");
    if (child) await exitOf(child);
    this.#nodes[node]!.child = undefined;
  }
  /** Stops a node without an end: its connections stay open, and nothing answers. */
  freeze(node: number): void {
    this.#nodes[node]!.child?.kill("SIGSTOP");
  }
  resume(node: number): void {
    this.#nodes[node]!.child?.kill("SIGCONT");
  }
  /** Starts a node that was killed; it is back when it has what it missed. */
  async restart(node: number): Promise<void> {
    await this.kill(node);
    await this.#run(node, false);
  }
  /** Runs a statement on one node, and returns its rows. */
  async query(node: number, statement: string): Promise<Record<string, unknown>[]> {
    const connection = await mysql.createConnection({ host: "127.0.0.1", port: this.#nodes[node]!.port, user: "root" });
    try {
      return (await connection.query(statement))[0] as Record<string, unknown>[];
    } finally {
      connection.destroy();
    }
  }
  /** Ends all nodes and removes their folders. */
  async stop(): Promise<void> {
    for (let node = 0; node < this.#nodes.length; node++) {
      this.resume(node);
      await this.kill(node);
    }
    process.off("exit", this.#end);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #install(): void {
    chmodSync(this.#directory, 0o755);
    const [first, ...others] = this.#nodes;
    const user = USER ? [`--user=${USER}`] : [];
    const args = ["--no-defaults", ...user, `--datadir=${first!.data}`, "--auth-root-authentication-method=normal"];
    execFileSync("mariadb-install-db", args, { stdio: "ignore", env });
    for (const { data } of others) cpSync(first!.data, data, { recursive: true });
    if (USER) execFileSync("chown", ["-R", `${USER}:`, this.#directory]);
  }

  async #run(index: number, isFirst: boolean): Promise<void> {
    const node = this.#nodes[index]!;
    const addresses = this.#nodes.map(({ base }) => `127.0.0.1:${base}`).join(",");
    const args = [...serverOptions(node), `--wsrep-cluster-address=gcomm://${isFirst ? "" : addresses}`];
    const child = spawn("setpriv", [...ended, "/usr/sbin/mariadbd", ...args], { stdio: "ignore", env });
    node.child = child;
    const until = Date.now() + START_TIMEOUT_MS;
    while (!(await this.#isSynced(index))) {
      if (child.exitCode !== null || Date.now() > until)
        throw new Error(`node ${index + 1} did not start: see ${node.data}`);
      await sleep(200);
    }
  }
  async #isSynced(node: number): Promise<boolean> {
    try {
      const rows = await this.query(node, "show status where variable_name in ('wsrep_ready', 'wsrep_local_state')");
      return rows.map(({ Value }) => Value).every((value) => value === "ON" || value === "4");
    } catch {
      return false;
    }
  }
}

const serverOptions = ({ port, base, ist, sst, data }: Node): string[] => [
  "--no-defaults",
  `--datadir=${data}`,
  `--socket=${data}.sock`,
  `--pid-file=${data}/server.pid`,
  `--log-error=${data}.log`,
  `--port=${port}`,
  "--bind-address=127.0.0.1",
  "--character-set-server=utf8mb4",
  "--innodb-buffer-pool-size=64M",
  "--innodb-flush-log-at-trx-commit=2",
  "--binlog-format=ROW",
  "--innodb-autoinc-lock-mode=2",
  "--wsrep-on=ON",
  "--wsrep-provider=/usr/lib/galera/libgalera_smm.so",
  "--wsrep-cluster-name=framewright_test",
  `--wsrep-node-address=127.0.0.1:${base}`,
  "--wsrep-sst-method=rsync",
  `--wsrep-sst-receive-address=127.0.0.1:${sst}`,
  `--wsrep-provider-options=base_host=127.0.0.1;base_port=${base};gmcast.listen_addr=tcp://127.0.0.1:${base};ist.recv_addr=127.0.0.1:${ist};gcache.size=32M;${SUSPICION}`,
];
