import { type ParamValue, raw, type SafeHtml, unprocessable } from "framewright/host";
import { hidden } from "framewright/plugins/fields/toolkit";
import { refuseUnknownKeys } from "../operations/known_keys.ts";
import type { ResourceRequest } from "../request.ts";

/** How many records one request acts on itself. */
export const MAX_CHOSEN = 100;
/** How many a run in the background is for, where they were chosen one by one. */
export const MAX_CHOSEN_IN_RUN = 1000;

/** What was selected: records by their ids, or all of the list. */
export interface Chosen {
  readonly ids: readonly string[];
  readonly all: boolean;
}

/** The address of an action on selected rows, below that of the list. */
export const bulkPath = (list: string, key: string): string => `${list}/bulk/${key}`;

/** Module-level: found by a controller, and freed with it. */
const chosen = new WeakMap<ResourceRequest, Chosen>();

/** What the request selected; undefined where it is not about selected rows. */
export const chosenOf = (controller: ResourceRequest): Chosen | undefined => chosen.get(controller);

/** Reads `ids` and `all`, and remembers them for the request. @throws HttpError 422 */
export function readChosen(controller: ResourceRequest): Chosen {
  refuseUnknownKeys(controller, ["ids", "all", "interaction"]);
  const { params } = controller;
  const all = ["1", "true"].includes(params.string("all") ?? "");
  const found = { all, ids: all ? [] : idsOf(params.get("ids")) };
  chosen.set(controller, found);
  return found;
}

function idsOf(sent: ParamValue | undefined): string[] {
  if (sent === undefined || sent === null || sent === "") return [];
  if (!Array.isArray(sent) || !sent.every((id) => typeof id === "string" || typeof id === "number"))
    throw unprocessable("ids must be a list of ids.", { ids: ["must be a list of ids"] });
  return [...new Set(sent.map(String))].filter((id) => id !== "");
}

/** The selection as fields of a form, so that it outlives a form that is refused. */
export const chosenFields = ({ ids, all }: Chosen): SafeHtml =>
  raw(all ? hidden("all", "1") : ids.map((id) => hidden("ids[]", id)).join(""));

/** @throws HttpError 422 */
export function refuseChosen(controller: ResourceRequest, key: string, vars?: Record<string, unknown>): never {
  const text = controller.t(`resource.bulk.${key}`, vars);
  throw unprocessable(text, { ids: [text] });
}
