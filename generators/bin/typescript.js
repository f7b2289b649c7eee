// Runs an application's TypeScript: by Node itself where it removes types and all that the application has can be removed, by tsx elsewhere.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Registers tsx for an application unless Node can do without it. `root`: the application's folder. */
export async function registerTypeScript(root) {
  if (isStripped(root)) return;
  const { register } = await import("tsx/esm/api");
  register();
}

/** Whether Node (22.18 and later) runs the application's TypeScript: its compiler refuses whatever is more than a type. */
function isStripped(root) {
  if (!process.features.typescript || root === undefined) return false;
  try {
    return /"erasableSyntaxOnly"\s*:\s*true/.test(readFileSync(join(root, "tsconfig.json"), "utf8"));
  } catch {
    return false; // it has none of its own
  }
}
