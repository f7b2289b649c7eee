import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { raw, type SafeHtml } from "framewright/host";
import type { Assets } from "framewright/plugins/assets";
import { icon, iconOrNothing } from "framewright/plugins/views";

/**
 * Draws an icon as a reference to the file of the icons that most pages have, which the build writes and browsers load once;
 * others, and those of a clone that was not built, are inline. `strict`: an unknown icon is an error.
 */
export function iconsByReference(assets: Assets, strict: boolean): (name: unknown) => SafeHtml {
  const file = join(import.meta.dirname, "icons.svg");
  let drawn: Map<string, SafeHtml> | undefined;
  const draw = () => {
    const names = existsSync(file)
      ? [...readFileSync(file, "utf8").matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
      : [];
    return new Map(names.map((name) => [name, use(`${assets.url("icons.svg")}#${name}`)]));
  };
  if (existsSync(file)) assets.add("icons.svg", file);
  return (given) => {
    drawn ??= draw(); // an address of an asset reads its file
    const name = String(given);
    return drawn.get(name) ?? (strict ? icon(name) : iconOrNothing(name));
  };
}
const use = (address: string) => raw(`<svg class="icon" aria-hidden="true"><use href="${address}"/></svg>`);
