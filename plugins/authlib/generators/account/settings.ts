import { randomBytes } from "node:crypto";
import { type FeatureSetting, featureEntry, newSecret } from "framewright/plugins/authlib/catalogue";
import type { Account, AccountContext } from "./types.ts";

const PRODUCTION = ".env.production";

/** Writes new values of required settings for development and test, and only the name for production. */
export function writeSettings(context: AccountContext, { features }: Pick<Account, "features">): void {
  for (const setting of features.flatMap((name) => featureEntry(name)!.settings)) writeSetting(context, setting);
}

/** Keeps a setting that exists. */
function writeSetting({ changes, note }: AccountContext, { name, minimumBytes, purpose }: FeatureSetting): void {
  const has = (path: string, mark = "") =>
    new RegExp(`^\\s*${mark}(?:export\\s+)?${name}\\s*=`, "m").test(changes.read(path) ?? "");
  const add = (path: string, line: string) => {
    const lines = `# Needed to ${purpose}, at least ${minimumBytes} bytes. If it is lost, everything made with it is lost.\n${line}\n`;
    if (changes.exists(path)) changes.edit(path, (text) => text.replace(/([^\n])$/, "$1\n") + lines);
    else changes.create(path, lines);
  };
  if (has(".env")) return;
  const written = [".env.development", ".env.test"].filter((path) => !has(path));
  for (const path of written) add(path, `${name}=${randomBytes(minimumBytes).toString("hex")}`);
  if (changes.exists(PRODUCTION) && !has(PRODUCTION, "#?\\s*")) add(PRODUCTION, `# ${name}=`);
  if (written.length === 0) return;
  note(`${name} is needed to ${purpose}: a new value is in ${written.join(" and ")}.
Production does not start without its own value, in the environment or in ${PRODUCTION}. Generate it with:
  ${newSecret}`);
}
