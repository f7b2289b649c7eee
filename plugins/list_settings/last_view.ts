import { html, type Reply, type SafeHtml } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import { type ListHead, ListUrls, listAt } from "framewright/plugins/resources/toolkit";
import { listSettingsOf, readSettings, SETTINGS } from "./settings_of_list.ts";

/** The query of a list that is requested as it is defined, where an address without one opens a view. */
export const PLAIN = "?view=none";

/** A list whose address requests nothing is opened as the person left it; undefined where nothing is stored. */
export async function answerLastView(controller: ResourceController): Promise<Reply | undefined> {
  const { request } = controller;
  if (request.search !== "" || request.format === "json" || request.frame !== undefined) return undefined;
  if (!listSettingsOf(controller)) return undefined;
  const { query } = (await readSettings(controller)) ?? {};
  if (query === undefined) return undefined;
  const readable = query === PLAIN ? PLAIN : readableQuery(controller, query);
  return readable === "" ? undefined : controller.redirectTo(controller.listUrl + readable);
}

/** What of a stored query the person may still request: parts that the list refuses are left out. */
export function readableQuery(controller: ResourceController, query: string): string {
  const whole = acceptedQuery(controller, query);
  if (whole !== undefined) return whole;
  const kept: [string, string][] = [];
  for (const [name, value] of new URLSearchParams(query)) {
    const isAccepted = (text: string) => acceptedQuery(controller, queryText([...kept, [name, text]])) !== undefined;
    const text = ["columns", "sort"].includes(name) ? value.split(",").filter(isAccepted).join() : value;
    if (text !== "" && isAccepted(text)) kept.push([name, text]);
  }
  return acceptedQuery(controller, queryText(kept)) ?? "";
}
const queryText = (pairs: readonly [string, string][]): string =>
  pairs.length === 0 ? "" : `?${new URLSearchParams(pairs as [string, string][])}`;

/** A query as the list itself writes it; undefined for one that it refuses. */
export function acceptedQuery(controller: ResourceController, query: string): string | undefined {
  const list = listAt(controller, controller.listUrl + query);
  return list && new ListUrls(controller, list).query();
}

/** What the script of a list's page sends, where it differs from what is stored. */
interface ShownList {
  readonly path: string;
  readonly query: string;
  readonly stored: string;
}
/** Module-level: found by a controller, and freed with it. */
const shown = new WeakMap<object, ShownList>();

/** Notes which list a page shows; its links to the list as it is defined lead there, and not to the last view. */
export async function noteList({ controller, list, urls }: ListHead): Promise<void> {
  if (!listSettingsOf(controller)) return;
  const { query = "" } = (await readSettings(controller)) ?? {};
  const opensView = controller.request.kernel.has("saved_views") && urls.hasDefault;
  const current = urls.query() || (list.isPlain && opensView ? PLAIN : "");
  const stored = ["", PLAIN, current].includes(query) ? query : readableQuery(controller, query);
  shown.set(controller, { path: urls.base + SETTINGS, query: current, stored });
  if (query !== "") urls.hasDefault = true;
}
export const isListShown = (controller: object): boolean => shown.has(controller);

/** What the script of a list's page reads. */
export function listMeta(controller: object): SafeHtml | undefined {
  const one = shown.get(controller);
  return (
    one &&
    html`<meta name="framewright-list" content="${one.path}" data-query="${one.query}" data-stored="${one.stored}">`
  );
}
