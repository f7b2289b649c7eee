// `node --import` this, and TypeScript runs as it stands in the tree: its imports carry their endings and nothing in it
// needs more than its types taken out, so that a test is loaded in half the time that a general loader takes.
import { register } from "node:module";

process.setSourceMapsEnabled(true);
register("./loader_hooks.js", import.meta.url);
