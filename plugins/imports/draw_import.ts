import type { ResourcePlace } from "framewright/plugins/resources";

/** Draws the steps of an import: all but the first two are for the person who uploaded the file. */
export function drawImport({ base, draw }: ResourcePlace): void {
  const add = (verb: "GET" | "POST", path: string, action: string) => draw(verb, path, { action, policy: "canImport" });
  const own = `${base}/import/:import_id`;
  add("GET", `${base}/import`, "newImport");
  add("POST", `${base}/import`, "createImport");
  add("GET", own, "showImport");
  add("POST", own, "mapImport");
  add("GET", `${own}/check`, "checkImport");
  add("GET", `${own}/failures.csv`, "importFailures");
  add("POST", `${own}/start`, "startImport");
  add("POST", `${own}/cancel`, "cancelImport");
  add("GET", `${own}/undo`, "askUndoImport");
  add("POST", `${own}/undo`, "undoImport");
}
