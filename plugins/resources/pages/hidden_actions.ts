import { callHook } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type { Entry } from "../entry/entry.ts";
import type { ResourceRequest } from "../request.ts";

/** The actions that a page is about to show. */
export interface ActionsShown {
  /** The records that they are shown on; none where they are on the list. */
  readonly records: readonly BaseModel[];
  /** Hides an action on one record, or on the list. The policy decides whether it is allowed; this only whether it applies. */
  hide(key: string, record?: BaseModel): void;
}

/** Module-level: found by a controller, and freed with it. */
const hidden = new WeakMap<ResourceRequest, Map<string, Set<BaseModel | undefined>>>();

/** Lets plugins look up, once for all records, which actions do not apply. To be awaited before actions are drawn. */
export function prepareActions(controller: ResourceRequest, entries: readonly Entry[] = []) {
  const hide = (key: string, record?: BaseModel) => {
    const keys = hidden.get(controller) ?? new Map<string, Set<BaseModel | undefined>>();
    hidden.set(controller, keys.set(key, (keys.get(key) ?? new Set()).add(record)));
  };
  return callHook(controller.resources.hooks.actions, new LazyActionsShown(entries, hide), controller);
}

class LazyActionsShown implements ActionsShown {
  readonly hide: ActionsShown["hide"];
  readonly #entries: readonly Entry[];
  #records: readonly BaseModel[] | undefined;

  constructor(entries: readonly Entry[], hide: ActionsShown["hide"]) {
    this.#entries = entries;
    this.hide = hide;
  }
  get records(): readonly BaseModel[] {
    this.#records ??= this.#entries.map(({ record }) => record);
    return this.#records;
  }
}

/** Whether an action was hidden on an entry, or on the list. A tap can hide an action only on records that it read. */
export function isHidden(controller: ResourceRequest, key: string, entry: Entry | undefined): boolean {
  const records = hidden.get(controller)?.get(key);
  if (!records) return false;
  return entry ? entry.loadedRecord !== undefined && records.has(entry.loadedRecord) : records.has(undefined);
}
