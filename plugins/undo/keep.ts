import { randomUUID } from "node:crypto";
import type { FlashAction } from "framewright/host";
import { type BaseModel, ModelInfo, type Transaction } from "framewright/plugins/database";
import { accountId, rowOwner } from "framewright/plugins/portals";
import { allows, labelOf, type ResourceController } from "framewright/plugins/resources";
import { type Destroying, filesOf } from "framewright/plugins/resources/toolkit";
import { collectDeletion } from "./collect.ts";
import { type Deletions, UNDO_MINUTES } from "./deletions.ts";

/** Characters of what is stored of a record and of what went with it. */
const MAX_CONTENT_CHARS = 500_000;
/** What is sealed takes a third more. */
const MAX_TRIAL_CHARS = 350_000;

/** What a request has deleted and stored, by the ids of the records. */
export interface Kept {
  readonly key: string;
  readonly ids: Set<string>;
}

/** Whether a person who deletes here may be offered to undo it: one who is signed in, looks at a page, and may create records. */
export function mayOfferUndo(controller: ResourceController): boolean {
  const { request, registration, about, currentUser, overrides } = controller;
  if (request.format === "json" || request.isBackground) return false;
  if (accountId(currentUser) === undefined || overrides.destroys) return false;
  const { kind, through } = about.parent?.association ?? {};
  if (registration.singular || kind === "hasOne" || through !== undefined) return false; // there is no list to post to
  return allows(controller.policyFor(), "create");
}

/** What is shown before these records are deleted; undefined where it can't be undone. */
export const undoQuestion = async (
  deletions: Deletions,
  controller: ResourceController,
  records: readonly BaseModel[],
): Promise<string | undefined> => ((await canUndo(deletions, controller, records)) ? undoText(controller) : undefined);

/** Whether the deletion of each of these records can be undone: whether it could be restored whole, as it is now. */
async function canUndo(
  deletions: Deletions,
  controller: ResourceController,
  records: readonly BaseModel[],
): Promise<boolean> {
  if (!mayOfferUndo(controller)) return false;
  if (records.some((record) => filesOf(controller, record).length > 0)) return false;
  const { database } = deletions;
  const reader = database.knex as unknown as Transaction; // it reads, and keeps nothing
  const foreign = await deletions.foreign(reader);
  for (const record of records) {
    const collected = await collectDeletion({ database, transaction: reader, foreign, isTrial: true }, record);
    if (!collected || JSON.stringify(collected).length > MAX_TRIAL_CHARS) return false;
  }
  return true;
}

/** Keeps a record that is about to be deleted, with all that goes along, in the transaction that deletes it. */
export async function keepDeletion(
  deletions: Deletions,
  { controller, record, transaction }: Destroying,
): Promise<void> {
  if (!mayOfferUndo(controller) || filesOf(controller, record).length > 0) return;
  const foreign = await deletions.foreign(transaction);
  const collected = await collectDeletion({ database: deletions.database, transaction, foreign }, record);
  if (!collected) return;
  const { key, ids } = keptBy(deletions, controller);
  const owner = rowOwner(controller, controller.registration.constant);
  const content = deletions.sealer.seal({ ...collected, label: labelOf(controller, record) }, owner, key);
  if (content.length > MAX_CONTENT_CHARS) return;
  const expires_at = new Date(Date.now() + UNDO_MINUTES * 60_000);
  await deletions.store.insert(owner, { undo_key: key, content, expires_at }, transaction);
  ids.add(String(ModelInfo.keyOf(record)));
}

function keptBy({ kept }: Deletions, controller: ResourceController): Kept {
  const known = kept.get(controller) ?? { key: randomUUID(), ids: new Set() };
  kept.set(controller, known);
  return known;
}

/** What the message about the deletion of these records adds; undefined unless each of them can be restored. */
export function undoNotice(
  { kept }: Deletions,
  controller: ResourceController,
  ids: readonly unknown[],
): { text: string; action: FlashAction } | undefined {
  const known = kept.get(controller);
  if (!known || ids.length === 0 || !ids.every((id) => known.ids.has(String(id)))) return undefined;
  return { text: undoText(controller), action: undoButton(controller, known.key) };
}

export const undoButton = (controller: ResourceController, key: string): FlashAction => ({
  label: controller.t("resource.undo.label"),
  url: `${controller.listUrl}/deletions/${key}/undo`,
});

/** What a message about a deletion adds where it can be undone. */
const undoText = (controller: ResourceController): string =>
  controller.t("resource.undo.offer", { count: UNDO_MINUTES });
