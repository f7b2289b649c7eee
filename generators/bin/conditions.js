// Adds import conditions: an application's `#…` imports resolve to its source and, in a clone, `framewright` to the framework's source.
// JavaScript of packages is loaded as it is, past tsx.
import module from "node:module";
import { initialize, load, resolve } from "./conditions_hook.js";

let added = false;

/** The hook registered last runs first: call this after registering tsx. A built application uses its dist. */
export function addConditions({ framework = false, application = true } = {}) {
  if (added) return;
  added = true;
  const data = { framework, application };
  if (typeof module.registerHooks === "function") {
    initialize(data);
    module.registerHooks({ resolve, load });
  } else module.register("./conditions_hook.js", import.meta.url, { data });
}
