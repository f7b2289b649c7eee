import type { BaseController } from "framewright/host";
import type { BaseModel, ModelClass, Query } from "framewright/plugins/database";
import { hideReferences } from "framewright/plugins/resources";
import type { DashboardMount, WaitingItem } from "../contract.ts";
import type { Dashboard } from "../dashboard.ts";
import { dayKey, type Period } from "../period.ts";
import { columnNames } from "../render/records.ts";
import type { CardCacheStore } from "./cache.ts";
import type { Card, CardCache } from "./card.ts";

/** The most rows of a list or a table that sets nothing else. */
export const DEFAULT_ROWS = 5;

/** A request for a card. */
export interface CardRequest {
  readonly mount: DashboardMount;
  readonly controller: BaseController;
  readonly card: Card;
  readonly period: Period;
  /** A dashboard created for this card; `shared` refuses what depends on a person. */
  open(shared: boolean): Dashboard;
}

/** The data of a card, from the cache where it is cached there. */
export function loadCard(cache: CardCacheStore, request: CardRequest): Promise<unknown> {
  const { card } = request;
  const kept = cacheOf(card.options.cache);
  const load = async () => {
    const own = request.open(kept?.shared === true).cards.get(card.key) ?? card;
    return dataOf(own, request);
  };
  const key = kept && keyOf(request, kept);
  return key === undefined ? load() : cache.getOrLoad(key, kept!.seconds, load);
}

const cacheOf = (cache: number | CardCache | undefined): CardCache | undefined =>
  typeof cache === "number" ? { seconds: cache } : cache;

/** Everything that the data of a card may depend on; undefined for a person who can't be distinguished from others. */
function keyOf({ mount, controller, card, period }: CardRequest, { shared }: CardCache): string | undefined {
  const { currentUser, currentScopedEntity } = controller;
  const person = shared ? ["shared"] : identityOf(currentUser);
  if (person === undefined) return undefined;
  const tenant = currentScopedEntity && identityOf(currentScopedEntity);
  const { locale } = controller.request; // data may contain texts
  return JSON.stringify([mount.name, card.key, period.key, dayKey(period.to), tenant ?? null, person, locale]);
}

/** The table (or class) and id of an account or tenant, and the role that an account has in itself. */
function identityOf(subject: unknown): unknown[] | undefined {
  if (subject === undefined || subject === null) return ["nobody"];
  const { id, role = null } = subject as { id?: unknown; role?: unknown };
  const { tableName, name } = (subject as object).constructor as { tableName?: string; name: string };
  return id === undefined || id === null ? undefined : [tableName ?? name, String(id), role];
}

/** Runs what the card declares. */
async function dataOf(card: Card, { controller, period }: CardRequest): Promise<unknown> {
  switch (card.kind) {
    case "metric":
      return card.options.value(period);
    case "chart":
      return card.options.data(period);
    case "list":
    case "table":
      return recordsOf(controller, card, card.options.query(period));
    case "links":
      return card.options.links();
    case "custom":
      return (await card.options.locals?.(period)) ?? {};
    case "waiting":
      return waitingFor(controller);
  }
}

type RecordCard = Extract<Card, { kind: "list" | "table" }>;

/** Associations are loaded along by the query itself, so that related records stay within the tenant. */
async function recordsOf(
  controller: BaseController,
  { kind, options }: RecordCard,
  query: Query<BaseModel>,
): Promise<BaseModel[]> {
  const model = query.modelClass() as unknown as ModelClass;
  const { associations } = controller.request.kernel.service("database").model(model);
  const asked =
    kind === "table" ? columnNames(controller, model, options.columns as readonly string[] | undefined) : [];
  const loaded = [...new Set([...model.labelAssociations, ...asked.filter((name) => associations.has(name))])];
  const hasOwnLimit = options.rows === undefined && query.has(/^limit$/);
  const limited = hasOwnLimit ? query : query.limit(options.rows ?? DEFAULT_ROWS);
  if (loaded.length === 0) return (await limited) as BaseModel[];
  const records = (await limited.withGraphFetched(`[${loaded.join(", ")}]`)) as BaseModel[];
  await hideReferences(controller, controller.request.kernel.service("database").model(model), records, loaded);
  return records;
}

async function waitingFor(controller: BaseController): Promise<readonly WaitingItem[]> {
  const items: WaitingItem[] = [];
  await controller.request.kernel.slotHooks("dashboards").waiting.promise(items, controller);
  return items;
}
