import type { Changes } from "./changes.ts";

/** Sets an option of `resources()` to true in plugins.config.ts; false where that is for a person to do. */
export function setResourcesOption(changes: Changes, option: string): boolean {
  const file = "plugins.config.ts";
  const isSet = () => new RegExp(`\\b${option}: true\\b`).test(changes.read(file) ?? "");
  if (isSet()) return true;
  const text = changes.read(file) ?? "";
  const wanted = /\bresources\((\)|\{ (?=\w))/;
  if (wanted.test(text))
    changes.edit(file, (now) =>
      now.replace(wanted, (_, next) => `resources({ ${option}: true${next === ")" ? " })" : ", "}`),
    );
  return isSet();
}
