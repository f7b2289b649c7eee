import { type CommandContext, withApp } from "framewright/generators";
import { findLocale } from "framewright/host";
import type { Catalogue } from "../contract.ts";
import { errors } from "../errors.ts";

/** Prints the texts that a locale has not, in the words of the application's own language. @throws FW_LOCALE_UNKNOWN */
export default async function texts({ args: [name = ""] }: CommandContext): Promise<void> {
  if (!findLocale(name)) throw errors.FW_LOCALE_UNKNOWN(name);
  const missing = await withApp({}, async (app) => app.kernel.service("i18n", "fw texts").missing?.(name) ?? {});
  console.log(JSON.stringify(nested(missing), null, 2));
}

function nested(texts: Readonly<Record<string, string>>): Catalogue {
  const catalogue: Catalogue = {};
  for (const [key, text] of Object.entries(texts)) {
    const path = key.split(".");
    const last = path.pop()!;
    let level = catalogue;
    for (const name of path) {
      level[name] ??= {};
      level = level[name] as Catalogue;
    }
    level[last] = text;
  }
  return catalogue;
}
