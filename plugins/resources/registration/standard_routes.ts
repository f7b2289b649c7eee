import type { Verb } from "framewright/host";
import { hasBackground } from "../background/checks.ts";
import { duplicateOf, hasBulk } from "../definition/actions.ts";
import { predicateOf } from "../definition/policy.ts";
import { hasExportRuns } from "../export/checks.ts";
import { exportFormats, exportMethods } from "../export/formats.ts";
import { hasImport } from "../import/checks.ts";
import { hasDuplicates, type ResourceRoute } from "./registration.ts";

/** What the application has, on which routes depend. */
export interface RouteFeatures {
  readonly panels: boolean;
  readonly jobs: boolean;
}

/** A resource as its routes are drawn: at its own address, or below a parent's. */
export interface StandardRoutes {
  readonly about: ResourceRoute;
  readonly names: { many: string; one: string };
  /** The path of the list; of a singular resource, its page. */
  readonly base: string;
  /** The path of one record. */
  readonly member: string;
  readonly single: boolean;
  /** Through a record in between, which would have to be created as well. */
  readonly through: boolean;
  readonly has: RouteFeatures;
  add(verb: Verb, path: string, action: string, policy: string, as?: string): void;
}

/** The list, and new records. */
export function drawList({ base, names, single, through, add }: StandardRoutes): void {
  if (!single) add("GET", base, "index", "canIndex", names.many);
  if (!through) add("POST", base, "create", "canCreate", single ? names.one : names.many);
  if (!through) add("GET", `${base}/new`, "new", "canNew", `new_${names.one}`);
}

/** What a list offers beside its rows: choices while typing, and files. */
export function drawListParts(routes: StandardRoutes): void {
  const { base, about, single, add } = routes;
  add("GET", `${base}/typeahead/:association`, "typeahead", "canRead");
  if (single) return;
  drawExports(routes);
  if (!about.parent && hasImport(about.registration)) drawImport(routes);
}

/** The downloads of a list; a POST leaves one to a job. */
function drawExports({ base, about: { registration }, add }: StandardRoutes): void {
  for (const format of exportFormats) {
    const path = `${base}/export.${format}`; // no id and no slug has a dot
    add("GET", path, exportMethods[format], "canExport");
    if (hasExportRuns(registration)) add("POST", path, exportMethods[format], "canExport");
  }
}

/** The steps of an import: all but the first two are for the person who uploaded the file. */
function drawImport({ base, add }: StandardRoutes): void {
  const own = `${base}/import/:import_id`;
  add("GET", `${base}/import`, "newImport", "canImport");
  add("POST", `${base}/import`, "createImport", "canImport");
  add("GET", own, "showImport", "canImport");
  add("POST", own, "mapImport", "canImport");
  add("GET", `${own}/check`, "checkImport", "canImport");
  add("GET", `${own}/failures.csv`, "importFailures", "canImport");
  add("POST", `${own}/start`, "startImport", "canImport");
  add("POST", `${own}/cancel`, "cancelImport", "canImport");
  add("GET", `${own}/undo`, "askUndoImport", "canImport");
  add("POST", `${own}/undo`, "undoImport", "canImport");
}

/** Actions on the list and on selected rows, and the pages of runs in the background. */
export function drawListActions({ base, about, single, has, add }: StandardRoutes): void {
  const { registration, parent } = about;
  if (!single) {
    add("GET", `${base}/actions/:action_key`, "collectionAction", "(by action)");
    add("POST", `${base}/actions/:action_key`, "runCollectionAction", "(by action)");
  }
  if (!single && hasBulk(registration.definition)) {
    add("GET", `${base}/bulk/:action_key`, "bulkAction", "(by action)");
    add("POST", `${base}/bulk/:action_key`, "runBulkAction", "(by action)");
  }
  if (parent || !hasBackground(registration, has.jobs)) return;
  add("GET", `${base}/background_runs/:run_id`, "backgroundRun", "(owner)");
  add("POST", `${base}/background_runs/:run_id/cancel`, "cancelBackgroundRun", "(owner)");
  if (hasExportRuns(registration)) add("GET", `${base}/background_runs/:run_id/file`, "exportFile", "(owner)");
}

/** A record: its forms, its actions and its page. */
export function drawRecord({ about, names, member, has, add }: StandardRoutes): void {
  const { definition } = about.registration;
  add("GET", `${member}/edit`, "edit", "canEdit", `edit_${names.one}`);
  const duplicate = duplicateOf(definition);
  if (duplicate && hasDuplicates(about))
    add("GET", `${member}/duplicate`, "newDuplicate", predicateOf(duplicate.policy!));
  add("GET", `${member}/actions/:action_key`, "recordAction", "(by action)");
  add("POST", `${member}/actions/:action_key`, "runRecordAction", "(by action)");
  if (has.panels) add("GET", `${member}/panels/:panel_key`, "show", "canShow");
  add("GET", member, "show", "canShow", names.one);
  add("PATCH", member, "update", "canUpdate", names.one);
  add("DELETE", member, "destroy", "canDestroy", names.one);
}
