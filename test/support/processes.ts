import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const fw = join(import.meta.dirname, "../../generators/bin/fw.js");

/** An application served by the `fw` command, in a process of its own. */
export async function serveApp(
  root: string,
  values: Record<string, string> = {},
  command: "serve" | "start" = "serve",
  [program, ...words]: readonly [string, ...string[]] = [process.execPath, fw],
  flags: readonly string[] = [],
): Promise<{ child: ChildProcess; url: string; output(): string }> {
  const env = {
    ...process.env,
    NODE_ENV: "test",
    SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
    ...values,
  };
  const child = spawn(program, [...words, command, "--port=0", ...flags], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const found = /http:\/\/\S+/.exec(output);
      if (found) resolve(found[0]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`fw ${command} ended with ${code}: ${output}`)));
  });
  return { child, url, output: () => output };
}

/** An application that is served while the tests of a suite need it, from the first that does. */
export class Served {
  readonly #start: () => ReturnType<typeof serveApp>;
  #running: ReturnType<typeof serveApp> | undefined;

  constructor(start: () => ReturnType<typeof serveApp>) {
    this.#start = start;
  }
  get running(): ReturnType<typeof serveApp> {
    this.#running ??= this.#start();
    return this.#running;
  }
  /** Ends it; whoever needs it then gets a new one, of the files as they are. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (!running) return;
    const { child } = await running;
    child.kill("SIGTERM");
    await exitOf(child);
  }
}

export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

const mariadbd = "/usr/sbin/mariadbd";
/** Why no MariaDB of one's own can be started here, or undefined. */
export const reasonForNoMariadb = (): string | undefined =>
  existsSync(mariadbd) ? undefined : "needs mariadbd: apt-get install mariadb-server";

const galera = "/usr/lib/galera/libgalera_smm.so";
/** Why no cluster of one node can be started here, or undefined. */
export const reasonForNoGalera = (): string | undefined =>
  reasonForNoMariadb() ?? (existsSync(galera) ? undefined : "needs galera: apt-get install galera-4");
/** Makes a server the only node of a cluster. */
export const asCluster = (port: number): string[] => [
  "--wsrep-on=ON",
  `--wsrep-provider=${galera}`,
  "--wsrep-cluster-address=gcomm://",
  `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${port}`,
  "--wsrep-node-address=127.0.0.1",
  "--binlog-format=ROW",
  "--innodb-autoinc-lock-mode=2",
];

/** A MariaDB that a test may stop and start. */
export class OwnMariadb {
  readonly directory = mkdtempSync(join(tmpdir(), "fw-mariadb-"));
  readonly port: number;
  #child: ChildProcess | undefined;

  constructor(port: number) {
    this.port = port;
  }
  get url(): string {
    return `mysql://root@127.0.0.1:${this.port}/test`;
  }
  async install(): Promise<void> {
    const args = [
      "--no-defaults",
      "--user=root",
      `--datadir=${this.directory}/data`,
      "--auth-root-authentication-method=normal",
    ];
    await once(spawn("mariadb-install-db", args, { stdio: "ignore" }), "exit");
  }
  /** `more`: further arguments of the server. */
  async start(...more: string[]): Promise<void> {
    const { directory, port } = this;
    const args = [
      "--no-defaults",
      "--user=root",
      `--datadir=${directory}/data`,
      `--socket=${directory}/s.sock`,
      `--port=${port}`,
    ];
    this.#child = spawn(
      mariadbd,
      [...args, "--bind-address=127.0.0.1", "--skip-log-bin", "--character-set-server=utf8mb4", ...more],
      { stdio: "ignore" },
    );
    for (let attempt = 0; attempt < 120; attempt++) {
      const client = spawn(
        "mariadb",
        ["--no-defaults", "-uroot", "-S", `${directory}/s.sock`, "-e", "create database if not exists test"],
        { stdio: "ignore" },
      );
      if ((await exitOf(client)) === 0) return;
      await sleep(250);
    }
    throw new Error("MariaDB did not start within 30 s");
  }
  /** Answers nothing any more, with its connections open. */
  freeze(): void {
    this.#child?.kill("SIGSTOP");
  }
  thaw(): void {
    this.#child?.kill("SIGCONT");
  }
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.thaw();
    child.kill("SIGTERM");
    await exitOf(child);
    this.#child = undefined;
  }
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
