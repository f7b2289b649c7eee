import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand, temporaryFolder } from "../generators/support.ts";
import { exitOf, freePort } from "../support/processes.ts";
import { nginxPath } from "../support/requirements.ts";

/** nginx as `fw:deploy` configures it, on ports of loopback. */
export class Nginx {
  readonly port: number;
  readonly folder = temporaryFolder();
  #child: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }
  /** `app`: an application with `deploy/nginx/shop.conf`; `servers`: the ports of its processes. */
  static async start(app: string, servers: readonly number[]): Promise<Nginx> {
    const nginx = new Nginx(await freePort());
    await certificate(nginx.folder);
    mkdirSync(join(nginx.folder, "temp"));
    const written = readFileSync(join(app, "deploy/nginx/shop.conf"), "utf8");
    writeFileSync(join(nginx.folder, "shop.conf"), onLoopback(written, nginx, await freePort(), servers));
    writeFileSync(join(nginx.folder, "nginx.conf"), around(nginx.folder));
    const args = ["-c", join(nginx.folder, "nginx.conf"), "-p", nginx.folder];
    nginx.#child = spawn(nginxPath, args, { stdio: "ignore" });
    for (let turn = 0; turn < 100 && !(await isListening(nginx.port)); turn++) await sleep(50);
    return nginx;
  }
  /** New workers take over; those of before end when their requests are answered. */
  reload(): void {
    this.#child?.kill("SIGHUP");
  }
  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    child.kill("SIGTERM");
    await exitOf(child);
  }
}

function onLoopback(written: string, { port, folder }: Nginx, plain: number, servers: readonly number[]): string {
  const upstream = (_: string, indent: string, options: string) =>
    servers.map((server) => `${indent}server 127.0.0.1:${server}${options};`).join("\n");
  const own = written
    .replace(/^ *listen \[::\].*\n/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${plain};`)
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`)
    .replaceAll("/etc/letsencrypt/live/shop.test", folder)
    .replaceAll("/var/cache/nginx", folder)
    .replace(/^( *)server 127\.0\.0\.1:3000(.*);$/m, upstream);
  for (const part of [`:${port} ssl`, `:${servers.at(-1)}`])
    if (!own.includes(part)) throw new Error(`fw:deploy wrote another configuration of nginx:\n${written}`);
  return own;
}

function around(folder: string): string {
  const user = process.getuid?.() === 0 ? "user root;\n" : "";
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `  ${kind}_temp_path ${folder}/temp/${kind};\n`,
  );
  const http = `http {\n  access_log off;\n${temporary.join("")}  include ${folder}/shop.conf;\n}\n`;
  return `${user}daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}\n${http}`;
}

async function certificate(folder: string): Promise<void> {
  const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  const { code, err } = await runCommand("openssl", [...args, ...files, "-subj", "/CN=shop.test"], folder);
  if (code !== 0) throw new Error(err);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    const finish = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => finish(true)).once("error", () => finish(false));
  });
}
