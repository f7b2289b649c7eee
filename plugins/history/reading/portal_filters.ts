import type { BaseController } from "framewright/host";
import { labelsFor, type Registration } from "framewright/plugins/resources";
import type { HistoryFilter, HistoryKind } from "../contract.ts";
import { boundsOf } from "./cursor.ts";

const KINDS: readonly HistoryKind[] = ["created", "updated", "deleted", "restored"];

/** By the names of models: the resources whose changes a page shows. */
export type Models = ReadonlyMap<string, Registration>;

export interface Chosen {
  readonly filter: HistoryFilter;
  readonly params: Record<string, string>;
}
/** The filters of the address; what names nothing is left out. */
export function chosenIn({ request }: BaseController, models: Models): Chosen {
  const given = (name: string): string => {
    const value = request.query.get(name);
    return typeof value === "string" ? value.slice(0, 260) : "";
  };
  const params: Record<string, string> = {};
  const filter: Record<string, unknown> = {};
  const set = (name: string, values: object) => {
    params[name] = given(name);
    Object.assign(filter, values);
  };
  if (models.has(given("model"))) set("model", { models: [given("model")] });
  const kind = KINDS.find((one) => one === given("kind"));
  if (kind) set("kind", { kind });
  const [, type, id] = /^([A-Za-z0-9:]{0,150})\/([^/]{1,100})$/.exec(given("person")) ?? [];
  // where people of other portals are not named, a filter must not reveal who they are
  const within = request.engine?.tenantRule === undefined ? {} : { portal: request.engine.name };
  if (id !== undefined) set("person", { person: { type: type || null, id }, ...within });
  const isOfAll = request.engine?.tenantRule === undefined;
  if (isOfAll && /^[\w.]{1,100}\/[^/]{1,150}$/.test(given("tenant"))) set("tenant", { tenant: given("tenant") });
  const day = boundsOf(request.timeZone, given("day"));
  if (day) set("day", { since: day.start, until: day.end });
  return { filter, params };
}

export function filtersOf(controller: BaseController, models: Models, params: Record<string, string>) {
  const registrations = new Map(
    [...models].map(([name, registration]) => [name, labelsFor(controller, registration).many]),
  );
  const options = (entries: Iterable<readonly [string, string]>, chosen: string | undefined) =>
    [...entries].map(([value, label]) => ({ value, label, chosen: value === chosen }));
  return {
    models: options(
      [...registrations].sort(([, a], [, b]) => a.localeCompare(b, controller.request.locale)),
      params.model,
    ),
    kinds: options(
      KINDS.map((kind) => [kind, controller.t(`history.kinds.${kind}`)] as const),
      params.kind,
    ),
    person: params.person,
    tenant: params.tenant,
    day: params.day,
    is_filtered: Object.keys(params).length > 0,
    url: controller.request.path,
  };
}
