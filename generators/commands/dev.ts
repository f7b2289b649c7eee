import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { applicationRoot } from "../support/load_app.ts";
import { fwCommand, isClone, packageDirectory } from "../support/package.ts";
import { StandbyServers } from "../support/standby.ts";
import { dim } from "../support/terminal.ts";
import type { CommandContext } from "./command.ts";
import { MIGRATED_FILE } from "./database.ts";
import { portOf } from "./serve.ts";

const WATCHED_FOLDERS = ["app", "config", "db", "lib", "packages"];
const DEBOUNCE_MS = 50;

/** Serves in a child process, and starts the next one when a file changes or a migration ran. Views are reloaded without that. */
export default async function dev({ options }: CommandContext): Promise<void> {
  const root = applicationRoot();
  portOf(options.port);
  const args = [fwCommand, "serve", ...(options.port === undefined ? [] : [`--port=${String(options.port)}`])];
  const servers = new StandbyServers(root, (env) =>
    spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    }),
  );
  let child = servers.serve();
  let isStopping = false;
  const restart = async (file: string) => {
    console.log(dim(`${file} changed`));
    if (!isWithin(root, file)) servers.drop();
    await stop(child);
    if (!isStopping) child = servers.serve();
  };
  await watchFiles(root, restart);
  await new Promise<void>((resolve) => {
    const end = async () => {
      if (isStopping) return child.kill("SIGKILL");
      isStopping = true;
      servers.end();
      await stop(child);
      resolve();
      return true;
    };
    process.on("SIGINT", end);
    process.on("SIGTERM", end);
  });
  process.exit(0);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const killTimer = setTimeout(() => child.kill("SIGKILL"), 3000);
  await ended;
  clearTimeout(killTimer);
}

/** Calls `changed` after changes have settled for DEBOUNCE_MS; one call at a time. */
async function watchFiles(root: string, changed: (file: string) => Promise<void>): Promise<void> {
  const { watch } = await import("chokidar"); // unlike fs.watch, follows replaced files and new folders
  let timer: NodeJS.Timeout | undefined;
  let busy: Promise<void> = Promise.resolve();
  const notice = (file: string) => {
    if (!isWatched(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => (busy = busy.then(() => changed(file))), DEBOUNCE_MS);
  };
  const folders = WATCHED_FOLDERS.map((name) => join(root, name)).filter((path) => existsSync(path));
  const own = isClone ? ["kernel", "host", "plugins"].map((layer) => join(packageDirectory, layer)) : [];
  const ignored = (path: string) => /[\\/](?:node_modules|dist|\.git)(?:[\\/]|$)/.test(path.slice(root.length));
  const options = { ignoreInitial: true, ignored };
  const deep = watch([...folders, ...own], options).on("all", (_, path) => notice(path));
  const flat = watch([root, join(root, "storage")], { ...options, depth: 0 }).on("all", (_, path) => notice(path));
  await Promise.all([deep, flat].map((watcher) => new Promise<void>((resolve) => watcher.once("ready", resolve))));
}

const isWithin = (root: string, file: string): boolean => file.startsWith(root + sep);

const isWatched = (path: string): boolean =>
  (/\.(?:ts|json)$/.test(path) && !path.endsWith("types.d.ts")) ||
  /^\.env/.test(basename(path)) ||
  basename(path) === MIGRATED_FILE;
