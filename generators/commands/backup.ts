import { dirname, relative } from "node:path";
import { usage } from "../errors.ts";
import { backupFile, removeOlder, sizeText, writeBackup } from "../support/backup_files.ts";
import { chooseEnvironment } from "../support/environment.ts";
import { withDatabase } from "../support/load_app.ts";
import type { CommandContext } from "./command.ts";

/** `fw db:backup`: writes the database into a file. */
export default async function backup({ args: [given], options }: CommandContext): Promise<void> {
  chooseEnvironment(options.env);
  const keep = countOf(options.keep);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1)); // removes the part
  await withDatabase(async ({ backups }, { root }) => {
    const file = backupFile(root, backups, given);
    const size = await writeBackup(backups, file);
    console.log(`${relative(process.cwd(), file)} (${sizeText(size)})`);
    if (keep !== undefined)
      for (const name of removeOlder(dirname(file), backups, keep)) console.log(`deleted ${name}`);
    console.log(
      "Encrypted columns are in it as they are stored: it needs the same SECRET_KEY_BASE, which is to be kept elsewhere. Uploaded files are not in it.",
    );
  });
}

function countOf(keep: unknown): number | undefined {
  if (keep === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(String(keep))) throw usage.FW_FLAG_VALUE("--keep", "a whole number, 1 or more");
  return Number(keep);
}
