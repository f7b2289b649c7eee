import { currentOrigin } from "framewright/host";
import { type BaseModel, ModelInfo, type OpenChange } from "framewright/plugins/database";
import type { Resources } from "framewright/plugins/resources";
import { statesOf } from "framewright/plugins/states";
import type { EventDetails } from "../contract.ts";
import { actionEvent, eventName, type RecordKind, withParents } from "./names.ts";

/** What every write changes. */
const TECHNICAL = ["created_at", "updated_at", "lock_version"];

/** Something that webhooks may hear of. */
export interface PendingEvent {
  /** By which names it is heard: of the model, and of those that it extends. */
  readonly names: readonly string[];
  readonly kind: RecordKind | "action" | "wizard";
  readonly model: string | null;
  readonly key: string | null;
  /** What it is in order with: `posts 7`. */
  readonly lane: string;
  /** Whose tenant counts; undefined where it is known already. */
  readonly record: BaseModel | undefined;
  readonly tenant?: string | null;
  /** The portal whose webhooks alone hear of it. */
  readonly portal?: string | undefined;
  details: EventDetails;
}

/** What a change is, for webhooks: nothing where only timestamps differ. */
export function eventsOf(change: OpenChange, resources: Resources): PendingEvent[] {
  const { kind, model, record, before } = change;
  const changed = change.changed.filter((name) => !TECHNICAL.includes(name) && !model.isKey(name));
  if (kind === "updated" && changed.length === 0) return [];
  const key = String(ModelInfo.keyOf(record) ?? "");
  const models = withParents(model);
  const at = new Date().toISOString();
  const common = { model: model.constant, key, lane: `${model.table} ${key}`, record };
  const of = (one: RecordKind, details: Partial<EventDetails> = {}): PendingEvent => ({
    ...common,
    kind: one,
    names: models.map(({ constant }) => eventName(constant, one)),
    details: { at, ...details },
  });
  const found = [of(kind, kind === "updated" ? { changed } : {})];
  const machine = statesOf(model.class);
  if (kind === "updated" && machine && changed.includes(machine.column)) {
    const [from, to] = [machine.of(before ?? {}) ?? null, machine.of(record) ?? null];
    found.push(of("moved", { column: machine.column, from, to }));
  }
  const action = kind === "deleted" ? undefined : actionNow(model, resources);
  if (action !== undefined) {
    const names = models.map(({ constant }) => actionEvent(constant, action));
    found.push({ ...common, kind: "action", names, details: { at, action } });
  }
  return found;
}

/** The action of the model's resource that is being run now. */
function actionNow(model: ModelInfo, { registry }: Resources): string | undefined {
  const { route, routeParams } = currentOrigin()?.request ?? {};
  const action = routeParams?.action_key;
  const about = route && registry.routes.get(route);
  if (action === undefined || about?.registration.model.table !== model.table) return undefined;
  return about.registration.definition.actions.has(action) ? action : undefined;
}

/**
 * Adds to what a transaction has so far: a record that is changed several times is changed once, with all that changed; one that
 * it creates is created, and of one that it deletes again nothing is left.
 */
export function addEvents(pending: PendingEvent[], found: readonly PendingEvent[]): PendingEvent[] {
  let open = pending;
  for (const one of found) {
    const own = open.filter(({ lane }) => lane === one.lane);
    if (one.kind === "deleted") {
      open = open.filter(({ lane, kind }) => lane !== one.lane || kind === "deleted");
      if (!own.some(({ kind }) => kind === "created")) open.push(one);
      continue;
    }
    const since = own.slice(own.findLastIndex(({ kind }) => kind === "deleted") + 1);
    if (one.kind === "updated" && since.some(({ kind }) => kind === "created")) continue;
    const same = since.find(({ kind, details }) => kind === one.kind && details.action === one.details.action);
    if (!same) open.push(one);
    else if (one.kind === "moved") same.details = { ...same.details, to: one.details.to ?? null };
    else if (one.kind === "updated")
      same.details = { ...same.details, changed: [...new Set([...same.details.changed!, ...one.details.changed!])] };
  }
  return open;
}
