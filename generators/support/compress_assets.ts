import { randomBytes } from "node:crypto";
import { cpSync, existsSync } from "node:fs";
import { messageOf } from "framewright/kernel";
import type { Assets } from "framewright/plugins/assets";
import { yellow } from "./terminal.ts";

/** What an earlier build compressed is most of what the next one needs. */
export async function keepCompressed(built: string, next: string): Promise<void> {
  const { compressedFolder } = await import("framewright/plugins/assets");
  const [from, to] = [compressedFolder(built), compressedFolder(next)];
  if (existsSync(from)) cpSync(from, to, { recursive: true });
}

/**
 * Writes the style sheets and scripts of the framework and the plugins compressed into a build. The plugins are applied
 * as in production, and nothing connects. Where they can't be, as without a variable that one of them needs, the build is
 * whole all the same: a started process compresses then.
 */
export async function compressAssets(root: string, built: string): Promise<void> {
  try {
    const assets = await assetsOf(root);
    const count = await assets?.precompress?.(built);
    if (count !== undefined) console.log(`compressed ${count} assets`);
  } catch (error) {
    console.error(yellow(`assets are compressed by fw start instead, after it listens: ${messageOf(error)}`));
  }
}

async function assetsOf(root: string): Promise<Assets | undefined> {
  const { Application, readSettings } = await import("framewright/host");
  const settings = readSettings({ root, values: { ...process.env, ...buildValues() } });
  const application = new Application(settings, { root, built: true });
  let assets: Assets | undefined;
  await application.withPlugins(await Application.pluginsOf(root, true), () => {
    if (application.kernel.has("assets")) assets = application.kernel.service("assets");
  });
  return assets;
}

/** The machine that builds need not know the secrets of the one that serves. */
const buildValues = () => ({
  FW_ENV: "production",
  SECRET_KEY_BASE: randomBytes(32).toString("hex"),
  SECRET_KEY_BASE_PREVIOUS: "",
});
