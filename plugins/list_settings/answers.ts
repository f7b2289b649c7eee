import { notFound, type Reply, unprocessable } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import { refuseUnknownKeys } from "framewright/plugins/resources/toolkit";
import { acceptedQuery, PLAIN } from "./last_view.ts";
import { listSettingsOf, ownerOf } from "./settings_of_list.ts";
import type { ChangedSettings } from "./store.ts";
import { isWidth, widthRange } from "./widths.ts";

const MAX_QUERY = 2000;
const densities = ["comfortable", "compact"] as const;

/**
 * `POST <list>/list/settings` with `query`, `widths[title]`, `density`, or `reset=1`: what of them is sent changes.
 * @throws HttpError 403, 404 for lists whose settings are not stored, 422
 */
export async function saveListSettings(controller: ResourceController): Promise<Reply> {
  await controller.authorizeAction("index");
  const settings = listSettingsOf(controller);
  if (!settings) throw notFound();
  refuseUnknownKeys(controller, ["query", "widths", "density", "reset"]);
  const { request } = controller;
  const owner = ownerOf(controller);
  const isReset = ["1", true].includes(request.body.get("reset") as string | boolean);
  if (isReset) await settings.store.remove(owner);
  else {
    const names = controller.listOf("Index");
    const changes = readChanges(controller, names);
    if (Object.keys(changes).length > 0) await settings.store.change(owner, changes, (name) => names.includes(name));
  }
  if (request.format === "json") return controller.json({ data: (await settings.store.find(owner)) ?? { widths: {} } });
  if (isReset) controller.flash.add("success", controller.t("list_settings.was_reset"));
  const back = request.safeLocation(request.body.get("return_to"));
  return controller.redirectTo((isReset ? undefined : back) ?? controller.listUrl);
}

function readChanges(controller: ResourceController, names: readonly string[]): ChangedSettings {
  const { body } = controller.request;
  const changes: { -readonly [K in keyof ChangedSettings]: ChangedSettings[K] } = {};
  if (body.has("query")) changes.query = readQuery(controller, body.get("query"));
  const widths = body.has("widths") ? readWidths(body.get("widths"), names) : {};
  if (Object.keys(widths).length > 0) changes.widths = widths;
  if (body.has("density")) {
    const density = densities.find((one) => one === body.get("density"));
    if (!density) throw unprocessable(`density must be one of ${densities.join(", ")}.`, { density: ["is none"] });
    changes.density = density;
  }
  return changes;
}

/** As the list writes it; undefined for the list as it is defined. */
function readQuery(controller: ResourceController, given: unknown): string | undefined {
  if (given === "" || given === PLAIN) return given || undefined;
  const isQuery = typeof given === "string" && given.startsWith("?") && given.length <= MAX_QUERY;
  const query = isQuery ? acceptedQuery(controller, given) : undefined;
  if (query === undefined) throw unprocessable("query is none of this list.", { query: ["is none of this list"] });
  return query || undefined;
}

/** An empty width is an automatic one. */
function readWidths(given: unknown, names: readonly string[]): Record<string, number | undefined> {
  const wrong = (text: string) => unprocessable(`widths ${text}.`, { widths: [text] });
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw wrong("is no object of columns");
  const read = Object.entries(given).map(([name, text]) => {
    if (!names.includes(name)) throw wrong("names what the list does not show");
    if (text === "" || text === null) return [name, undefined] as const;
    const width = typeof text === "string" && /^\d{1,4}$/.test(text) ? Number(text) : text;
    const { min, max, step } = widthRange;
    if (typeof width !== "number" || !isWidth(width)) throw wrong(`must be from ${min} to ${max}, in steps of ${step}`);
    return [name, width] as const;
  });
  return Object.fromEntries(read);
}
