// `node --import` this, and TypeScript runs as it stands in the tree: its imports carry their endings and nothing in it
// needs more than its types taken out, so that a test is loaded in half the time that a general loader takes.
import module from "node:module";
import { load, resolve } from "./loader_hooks.js";

process.setSourceMapsEnabled(true);
// Where hooks run in this thread, those of an application's conditions do too: they are called one after the other.
if (typeof module.registerHooks === "function") module.registerHooks({ resolve, load });
else module.register("./loader_hooks.js", import.meta.url);
