// Adds import conditions: an application's `#…` imports lead to its source, and, in a clone, `framewright` to its own.
import module from "node:module";
import { initialize, resolve } from "./conditions_hook.js";

let added = false;

/** Last registered is asked first: call it after tsx is registered. A built application keeps to its dist. */
export function addConditions({ framework = false, application = true } = {}) {
  if (added) return;
  added = true;
  const data = { framework, application };
  if (typeof module.registerHooks === "function") {
    initialize(data);
    module.registerHooks({ resolve });
  } else module.register("./conditions_hook.js", import.meta.url, { data });
}
