import { addToOrigin, notFound, type Reply } from "framewright/host";
import { messageOf } from "framewright/kernel";
import { type BaseModel, ValidationError } from "framewright/plugins/database";
import { type RowOwner, rowOwner } from "framewright/plugins/portals";
import { fieldLabel, labelOf, type ResourceController } from "framewright/plugins/resources";
import { confirmActions, fieldErrors, isDenial, numberText, report } from "framewright/plugins/resources/toolkit";
import type { KeptDeletion } from "./content.ts";
import type { Deletions } from "./deletions.ts";
import { undoButton } from "./keep.ts";
import { NotRestored, restoreDeletion } from "./restore.ts";
import type { DeletionRow } from "./store.ts";

const MAX_NAMED = 5;
const MAX_CHARS = 100;

/** What a request undoes, and for whom. */
interface Undoing {
  readonly deletions: Deletions;
  readonly owner: RowOwner;
  readonly key: string;
}
/** What became of a deleted record: it was restored, or why it was not. */
interface Turn {
  readonly label: string;
  readonly left?: string;
}

/** `POST <list>/deletions/:undo_key/undo`: restores what the person deleted, each record once. @throws HttpError 403, 404 */
export async function undoDeletion(controller: ResourceController, deletions: Deletions): Promise<Reply> {
  addToOrigin({ means: "undo" });
  const { undo_key: key = "" } = controller.request.routeParams;
  if (controller.request.format === "json") throw notFound();
  const owner = rowOwner(controller, controller.registration.constant);
  await controller.authorizeAction("create");
  const asked = await confirmActions(controller, ["create"]);
  if (asked) return asked;
  const turns: Turn[] = [];
  for (const row of await deletions.store.find(owner, key)) {
    const turn = await undoOne(controller, { deletions, owner, key }, row);
    if (turn) turns.push(turn);
  }
  say(controller, turns, key);
  return controller.redirectTo(controller.returnTo() ?? controller.listUrl);
}

/** Undefined where another request was faster. @throws HttpError 503 */
async function undoOne(
  controller: ResourceController,
  { deletions, owner, key }: Undoing,
  row: DeletionRow,
): Promise<Turn | undefined> {
  const kept = deletions.sealer.open(row.content, owner, key);
  if (!kept) return undefined;
  const { request, registration } = controller;
  const options = { until: request.deadline, by: `the resource "${registration.constant}"` };
  let record: BaseModel | undefined;
  try {
    record = await deletions.database.transaction(async (transaction) => {
      if (!(await deletions.store.take(row.id, transaction))) return undefined;
      return restoreDeletion(controller, kept, transaction, (restored) => deletions.restored.promise(restored));
    }, options);
  } catch (error) {
    return { label: kept.label, left: reasonOf(controller, kept, error) };
  }
  if (!record) return undefined;
  await report(controller, "created", record);
  return { label: labelOf(controller, record) };
}

/** Why a record is not restored, in a few words; errors of an unavailable database are thrown on. */
function reasonOf(controller: ResourceController, kept: KeptDeletion, error: unknown): string {
  const t = (reason: string) => controller.t(`resource.undo.reasons.${reason}`);
  if (error instanceof NotRestored) return t(error.reason);
  if (error instanceof ValidationError) return problemsOf(controller, kept, error) || t("values");
  if (isDenial(error)) return t("refused");
  if ((error as { status?: unknown }).status === 503) throw error;
  const { log } = controller.request.application;
  log.error({ err: error }, `the deletion of a record was not undone: ${messageOf(error)}`);
  return t("error");
}

/** What conflicts with the record's own values, of fields that the person may see; empty for others. */
function problemsOf(controller: ResourceController, { rows, root }: KeptDeletion, error: ValidationError): string {
  if (error.subject !== rows[root]!.model) return controller.t("resource.undo.reasons.along");
  const { registration } = controller;
  const seen = [...new Set([...controller.listOf("Index"), ...controller.listOf("Show")])];
  return Object.entries(fieldErrors(controller, error.problems, seen))
    .filter(([name]) => name !== "base")
    .map(
      ([name, texts]) =>
        `${fieldLabel(controller, registration, registration.attribute(name), "display")} ${texts.join(", ")}`,
    )
    .join("; ");
}

function say(controller: ResourceController, turns: readonly Turn[], key: string): void {
  const t = (name: string, vars: Record<string, unknown> = {}) => controller.t(`resource.undo.${name}`, vars);
  const left = turns.filter((turn) => turn.left !== undefined);
  const done = turns.filter((turn) => turn.left === undefined);
  if (turns.length === 0) controller.flash.add("warning", t("late"));
  else if (left.length === 0) controller.flash.add("success", restoredText(controller, turns));
  else {
    const counted = done.length > 0 ? [restoredText(controller, done)] : [];
    const named = left
      .slice(0, MAX_NAMED)
      .map(({ label, left: reason }) => t("left", { name: cut(label), reason: cut(reason!) }));
    const others = left.length - named.length;
    const more = others > 0 ? [t("more", { count: others })] : [];
    controller.flash.add("warning", [...counted, ...named, ...more].join(" "), undoButton(controller, key));
  }
}

function restoredText(controller: ResourceController, restored: readonly Turn[]): string {
  const [only, second] = restored;
  if (only && !second) return controller.t("resource.undo.restored", { name: only.label });
  const count = restored.length;
  return controller.t("resource.undo.restored_count", { count, number: numberText(controller, count) });
}

const cut = (text: string): string => {
  const letters = [...text];
  return letters.length > MAX_CHARS ? `${letters.slice(0, MAX_CHARS - 1).join("")}…` : text;
};
