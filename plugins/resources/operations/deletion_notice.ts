import type { FlashAction } from "framewright/host";
import { type BaseModel, ModelInfo, type Transaction } from "framewright/plugins/database";
import type { ResourceRequest } from "../request.ts";

/** A record that is about to be deleted, in the transaction that deletes it. */
export interface Destroying {
  readonly controller: ResourceRequest;
  readonly record: BaseModel;
  readonly transaction: Transaction;
}

/** What the message about a deletion adds. */
export interface DeletionNotice {
  /** A sentence. */
  readonly text: string;
  readonly action?: FlashAction;
}

/** What a plugin adds to the message that records were deleted, by their ids. */
export const deletionNotice = (controller: ResourceRequest, ids: readonly unknown[]): DeletionNotice | undefined =>
  controller.resources.hooks.destroyed.call(ids, controller);

/** The text of a plugin before these records are deleted; undefined where nothing brings them back. */
export async function restoreText(
  controller: ResourceRequest,
  records: readonly BaseModel[],
): Promise<string | undefined> {
  const { destroyQuestion } = controller.resources.hooks;
  return destroyQuestion.isUsed() ? destroyQuestion.promise(records, controller) : undefined;
}

/** Has plugins keep what they need of a record whose row is about to be deleted. */
export async function announceDestroying(destroying: Destroying): Promise<void> {
  const { destroying: hook } = destroying.controller.resources.hooks;
  if (hook.isUsed() && !ModelInfo.ofRecord(destroying.record).mark) await hook.promise(destroying);
}
