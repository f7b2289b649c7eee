import { type ParamValue, unprocessable } from "framewright/host";
import type { ResourceRequest } from "framewright/plugins/resources";
import { Chosen, refuseUnknownKeys } from "framewright/plugins/resources/toolkit";

/** How many records one request acts on itself. */
export const MAX_CHOSEN = 100;
/** How many a run in the background is for, where they were chosen one by one. */
export const MAX_CHOSEN_IN_RUN = 1000;

/** The address of an action on selected rows, below that of the list. */
export const bulkPath = (key: string): string => `bulk/${key}`;

/** Reads `ids` and `all`, and remembers them for the request. @throws HttpError 422 */
export function readChosen(controller: ResourceRequest, key: string): Chosen {
  refuseUnknownKeys(controller, ["ids", "all", "interaction"]);
  const { params } = controller;
  const all = ["1", "true"].includes(params.string("all") ?? "");
  return new Chosen({ all, ids: all ? [] : idsOf(params.get("ids")), path: bulkPath(key) }).rememberFor(controller);
}

function idsOf(sent: ParamValue | undefined): string[] {
  if (sent === undefined || sent === null || sent === "") return [];
  if (!Array.isArray(sent) || !sent.every((id) => typeof id === "string" || typeof id === "number"))
    throw unprocessable("ids must be a list of ids.", { ids: ["must be a list of ids"] });
  return [...new Set(sent.map(String))].filter((id) => id !== "");
}

/** @throws HttpError 422 */
export function refuseChosen(controller: ResourceRequest, key: string, vars?: Record<string, unknown>): never {
  const text = controller.t(`resource.bulk.${key}`, vars);
  throw unprocessable(text, { ids: [text] });
}
