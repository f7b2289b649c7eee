import { ensureBuilt, fwOk, newApp, useDatabase } from "./support.ts";

/** A new application over an existing database, with its tables pulled. */
export interface PulledApp {
  root: string;
  /** What the generator printed. */
  out: string;
  /** The models that it names for fw:res:conn. */
  constants: readonly string[];
}

/** Creates an application on the database of this address, which may be filled by `prepare` first, and pulls it. */
export async function pullApp(
  url: string,
  { database = "sqlite", prepare = () => undefined }: { database?: string; prepare?(root: string): void } = {},
): Promise<PulledApp> {
  await ensureBuilt();
  const root = await newApp("shop", `--database=${database}`);
  useDatabase(root, url);
  prepare(root);
  const { out } = await fwOk(root, "g", "fw:db:pull");
  const names = /fw:res:conn (.*) --dest=PORTAL/.exec(out)?.[1] ?? "";
  return { root, out, constants: names.split(" ") };
}

/** Serves all of it in a portal of accounts of this type. Returns what fw:res:conn printed. */
export async function connectAll({ root, constants }: PulledApp, account = "user"): Promise<string> {
  await fwOk(root, "g", "fw:authlib:account", account);
  await fwOk(root, "g", "fw:pkg:portal", "admin", `--auth=${account}`);
  const { out } = await fwOk(root, "g", "fw:res:conn", ...constants, "--dest=admin_portal");
  await fwOk(root, "db:migrate");
  return out;
}
