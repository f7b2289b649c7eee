import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { titleize } from "framewright/host";
import type { Catalogue } from "framewright/plugins/i18n";

const DEFAULT_NAME: Catalogue = { application: { name: "Framewright" } };

/** The text `application.name`: the name in package.json, titleized. */
export function applicationNameText(root: string | undefined): Catalogue {
  const file = join(root ?? "", "package.json");
  if (root === undefined || !existsSync(file)) return DEFAULT_NAME;
  const { name } = JSON.parse(readFileSync(file, "utf8")) as { name?: unknown };
  return typeof name === "string" && name !== ""
    ? { application: { name: titleize(name.replace(/^@.*\//, "").replaceAll("-", "_")) } }
    : DEFAULT_NAME;
}
