import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { titleize } from "framewright/host";
import type { Catalogue } from "framewright/plugins/i18n";

const standard: Catalogue = { application: { name: "Framewright" } };

/** The text `application.name`: package.json's name, made readable. */
export function applicationName(root: string | undefined): Catalogue {
  const file = join(root ?? "", "package.json");
  if (root === undefined || !existsSync(file)) return standard;
  const { name } = JSON.parse(readFileSync(file, "utf8")) as { name?: unknown };
  return typeof name === "string" && name !== ""
    ? { application: { name: titleize(name.replace(/^@.*\//, "").replaceAll("-", "_")) } }
    : standard;
}
