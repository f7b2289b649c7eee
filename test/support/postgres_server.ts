import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { postgresStatement } from "./databases.ts";
import { exitOf, freePort } from "./processes.ts";

/** Debian's folders of the server, the newest version last. */
const VERSIONS = "/usr/lib/postgresql";
function programs(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((one, other) => Number(one) - Number(other)) : [];
  const bin = join(VERSIONS, versions.at(-1) ?? "", "bin");
  return existsSync(join(bin, "initdb")) ? bin : undefined;
}
/** Why there is no server to start. */
export const withoutPostgresServer = (): string | undefined =>
  programs() === undefined ? "needs a server of PostgreSQL: apt-get install postgresql" : undefined;

const idOf = (kind: "-u" | "-g"): number => Number(spawnSync("id", [kind, "postgres"], { encoding: "utf8" }).stdout);

/** A server on a free port of loopback, with a folder of its own. It does not run as root. */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const bin = programs()!;
  const folder = mkdtempSync(join(tmpdir(), "fw-postgres-"));
  const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const options = { ...user, cwd: folder, stdio: "ignore" } as const;
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb ended with ${made.status ?? made.error}`);
  const port = await freePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    "fsync=off",
    "max_connections=300",
  ];
  const child = spawn(
    join(bin, "postgres"),
    ["-D", data, "-p", String(port), ...settings.flatMap((one) => ["-c", one])],
    options,
  );
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const stop = async () => {
    child.kill("SIGINT"); // ends what is connected
    await exitOf(child);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 100; attempt++) {
    const isUp = await postgresStatement(url, "select 1").then(
      () => true,
      () => false,
    );
    if (isUp) return { url, stop };
    await sleep(100);
  }
  await stop();
  throw new Error("PostgreSQL did not start within 10 s");
}
