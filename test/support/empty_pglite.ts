import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../node_modules/@electric-sql/pglite");
/** Whether the embedded PostgreSQL is installed. */
export const hasPglite = (): boolean => existsSync(folder);

/** The folder of an empty PGlite, to copy: setting one up takes ten seconds of a processor, once on a machine. */
export async function emptyPglite(): Promise<string> {
  const cache = join(process.env.FW_TEST_CACHE ?? tmpdir(), `framewright-tests-${process.getuid?.() ?? ""}`);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  const cached = join(cache, `pglite-${version}`);
  if (existsSync(cached)) return cached;
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const { PGlite } = await import("@electric-sql/pglite");
  const own = mkdtempSync(join(cache, "pglite-new-"));
  await (await PGlite.create(join(own, "data"))).close();
  try {
    renameSync(join(own, "data"), cached);
  } catch (error) {
    if (!existsSync(cached)) throw error; // another process was first
  }
  await rm(own, { recursive: true, force: true });
  return cached;
}
