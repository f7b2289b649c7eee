import type { BaseModel } from "framewright/plugins/database";
import type { ResourceController } from "./controller.ts";

/** The actions that a page is about to show. */
export interface ActionsShown {
  /** The records that they stand on; none where they stand on the list. */
  readonly records: readonly BaseModel[];
  /** Hides an action on one record, or on the list. The policy decides whether it is allowed; this only whether it applies. */
  hide(key: string, record?: BaseModel): void;
}

const hidden = new WeakMap<ResourceController, Map<string, Set<BaseModel | undefined>>>();

/** Lets plugins look up, once for all records, which actions do not apply. To be awaited before actions are drawn. */
export async function prepareActions(
  controller: ResourceController,
  records: readonly BaseModel[] = [],
): Promise<void> {
  const { actions } = controller.resources.hooks;
  if (!actions.isUsed()) return;
  const keys = hidden.get(controller) ?? new Map<string, Set<BaseModel | undefined>>();
  hidden.set(controller, keys);
  const hide = (key: string, record?: BaseModel) => void keys.set(key, (keys.get(key) ?? new Set()).add(record));
  await actions.promise({ records, hide }, controller);
}

export const isHidden = (controller: ResourceController, key: string, record: BaseModel | undefined): boolean =>
  hidden.get(controller)?.get(key)?.has(record) ?? false;
