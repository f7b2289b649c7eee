import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The nearest directory, here or above, that contains an application. */
export function findApplication(from: string): string | undefined {
  for (let at = resolve(from); ; at = dirname(at)) {
    if (existsSync(join(at, "plugins.config.ts")) && existsSync(join(at, "config"))) return at;
    if (at === dirname(at)) return undefined;
  }
}
