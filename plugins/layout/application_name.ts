import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { titleize } from "framewright/host";
import type { Catalogue } from "framewright/plugins/i18n";

/** The text `application.name`: package.json's name, made readable; nothing where there is none. */
export function applicationName(root: string | undefined): Catalogue {
  const file = join(root ?? "", "package.json");
  if (root === undefined || !existsSync(file)) return {};
  const { name } = JSON.parse(readFileSync(file, "utf8")) as { name?: unknown };
  return typeof name === "string" && name !== ""
    ? { application: { name: titleize(name.replace(/^@.*\//, "").replaceAll("-", "_")) } }
    : {};
}
