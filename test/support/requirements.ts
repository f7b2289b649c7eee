import { existsSync } from "node:fs";
import { createConnection } from "node:net";
import { hasPglite } from "./empty_pglite.ts";

/** What the machine may lack, each with the line that installs it. */
const fixes = {
  mysql:
    "set FW_TEST_MYSQL_URL to a MariaDB server, as in mysql://root@127.0.0.1:3306/test; apt-get install mariadb-server installs one",
  postgres:
    "set FW_TEST_POSTGRES_URL to a server of PostgreSQL, as in postgres://postgres@127.0.0.1:5432/postgres; apt-get install postgresql installs one",
  pglite: "npm install installs it, as a package of development: @electric-sql/pglite",
  redis: "apt-get install redis-server, or set FW_TEST_REDIS_URL to a server, as in redis://127.0.0.1:6379/0",
  mariadb: "apt-get install mariadb-server",
  galera: "apt-get install mariadb-server galera-4 rsync lsof socat",
  browser: "apt-get install chromium-headless-shell, or chromium",
  nginx: "apt-get install nginx-light openssl",
  systemd: "apt-get install systemd",
  registry: "set FW_TEST_REGISTRY=1 where npm may install packages",
} as const;
export type Requirement = keyof typeof fixes;

/** Debian's place of the server that tests start. */
export const redisPath = process.env.FW_TEST_REDIS ?? "/usr/bin/redis-server";
const withWindows = "/usr/bin/chromium";
/** Chromium without windows, a package of its own: a page takes a quarter less of a processor. */
const withoutWindows = "/usr/bin/chromium-headless-shell";
export const chromiumPath = process.env.FW_TEST_CHROMIUM ?? (existsSync(withoutWindows) ? withoutWindows : withWindows);

export const nginxPath = "/usr/sbin/nginx";
const galeraFiles = [
  "/usr/lib/galera/libgalera_smm.so",
  ...["rsync", "lsof", "socat"].map((name) => `/usr/bin/${name}`),
].concat("/usr/sbin/mariadbd");

async function present(requirement: Requirement): Promise<boolean> {
  if (requirement === "redis") return process.env.FW_TEST_REDIS_URL !== undefined || existsSync(redisPath);
  if (requirement === "browser") return existsSync(chromiumPath);
  if (requirement === "nginx") return existsSync(nginxPath) && existsSync("/usr/bin/openssl");
  if (requirement === "systemd") return existsSync("/usr/bin/systemd-analyze");
  if (requirement === "mariadb") return existsSync("/usr/sbin/mariadbd");
  if (requirement === "galera") return galeraFiles.every((file) => existsSync(file));
  if (requirement === "registry") return process.env.FW_TEST_REGISTRY === "1";
  if (requirement === "pglite") return hasPglite();
  const url = process.env[requirement === "mysql" ? "FW_TEST_MYSQL_URL" : "FW_TEST_POSTGRES_URL"];
  return url ? answers(new URL(url)) : false;
}

function answers({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port || 3306), timeout: 2000 });
    const finish = (there: boolean) => {
      socket.destroy();
      resolve(there);
    };
    socket
      .once("connect", () => finish(true))
      .once("error", () => finish(false))
      .once("timeout", () => finish(false));
  });
}

/** Why tests that need this can't run here, or undefined when they can. With FW_TEST_REQUIRE naming it, absence throws. */
export async function reasonToSkip(requirement: Requirement): Promise<string | undefined> {
  if (await present(requirement)) return undefined;
  if ((process.env.FW_TEST_REQUIRE ?? "").split(",").includes(requirement)) {
    throw new Error(`FW_TEST_REQUIRE names "${requirement}", and it is not here: ${fixes[requirement]}`);
  }
  return `needs ${requirement}: ${fixes[requirement]}`;
}

/** As reasonToSkip, for several at once: the first reason found. */
export async function requireOrSkip(...requirements: Requirement[]): Promise<string | undefined> {
  for (const requirement of requirements) {
    const reason = await reasonToSkip(requirement);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
