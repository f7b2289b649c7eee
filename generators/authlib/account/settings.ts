import { randomBytes } from "node:crypto";
import { newSecret } from "../../../plugins/authlib/errors.ts";
import type { FeatureSetting } from "../../../plugins/authlib/feature.ts";
import { featureEntry } from "../../../plugins/authlib/feature_catalogue.ts";
import type { Account, Writing } from "./account.ts";

const PRODUCTION = ".env.production";

/** Writes fresh values of the settings that features need for development and test, and the name alone for production. */
export function writeSettings(context: Writing, { features }: Pick<Account, "features">): void {
  for (const setting of features.flatMap((name) => featureEntry(name)!.settings)) writeSetting(context, setting);
}

/** What is set anywhere stays as it is. */
function writeSetting({ changes, note }: Writing, { name, minimumBytes, purpose }: FeatureSetting): void {
  const has = (path: string, mark = "") =>
    new RegExp(`^\\s*${mark}(?:export\\s+)?${name}\\s*=`, "m").test(changes.read(path) ?? "");
  const add = (path: string, line: string) => {
    const lines = `# To ${purpose}, at least ${minimumBytes} bytes. Whoever loses it loses what was made with it.\n${line}\n`;
    if (changes.exists(path)) changes.edit(path, (text) => text.replace(/([^\n])$/, "$1\n") + lines);
    else changes.create(path, lines);
  };
  if (has(".env")) return;
  const written = [".env.development", ".env.test"].filter((path) => !has(path));
  for (const path of written) add(path, `${name}=${randomBytes(minimumBytes).toString("hex")}`);
  if (changes.exists(PRODUCTION) && !has(PRODUCTION, "#?\\s*")) add(PRODUCTION, `# ${name}=`);
  if (written.length === 0) return;
  note(`${name} is needed to ${purpose}: a fresh value is in ${written.join(" and ")}.
Production does not start without one of its own, in the environment or in ${PRODUCTION}. Make it with:
  ${newSecret}`);
}
