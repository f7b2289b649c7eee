// Adds import conditions: an application's `#…` imports lead to its source, and, in a clone, `framewright` to its own.
import module from "node:module";
import { initialize, resolve } from "./conditions_hook.js";

let added = false;

/** Last registered is asked first: call it after tsx is registered. */
export function addConditions({ framework = false } = {}) {
  if (added) return;
  added = true;
  if (typeof module.registerHooks === "function") {
    initialize({ framework });
    module.registerHooks({ resolve });
  } else module.register("./conditions_hook.js", import.meta.url, { data: { framework } });
}
