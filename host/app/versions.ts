import { readFileSync } from "node:fs";
import type { Plugin } from "framewright/kernel";
import { errors } from "../errors.ts";

/** The version of the framework, from its package.json. */
export function frameworkVersion(): string {
  const file = new URL(import.meta.resolve("framewright/package.json"));
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

/** Refuses plugins that were made for other versions of the framework. @throws FW_PLUGIN_VERSION */
export async function checkVersions(plugins: readonly Plugin[]): Promise<void> {
  const bound = plugins.filter((plugin) => "framewright" in plugin) as { name: string; framewright?: string }[];
  if (bound.length === 0) return;
  const { default: satisfies } = await import("semver/functions/satisfies.js");
  const version = frameworkVersion();
  for (const { name, framewright: range } of bound) {
    if (range !== undefined && !satisfies(version, range, { includePrerelease: true }))
      throw errors.FW_PLUGIN_VERSION(name, range, version);
  }
}
