import type { Reply } from "framewright/host";
import type { ResourceRequest } from "framewright/plugins/resources";
import { actionLabel, targetsSearch } from "framewright/plugins/resources/toolkit";
import type { BulkAction } from "./bulk_action.ts";
import { DestroyRecord } from "./destroy_record.ts";
import type { Turn } from "./perform.ts";

/** How many records a message names, and how much of each: it travels in a cookie. */
const MAX_NAMED = 5;
const MAX_LABEL_CHARS = 40;
const MAX_REASON_CHARS = 80;

/** The list as it was. */
export function backToList(controller: ResourceRequest): string {
  const action = controller.registration.definition.actions.get(controller.request.routeParams.action_key!)!;
  return controller.returnTo() ?? controller.listUrl + targetsSearch(controller, action);
}

/** Reports what became of the selected records. */
export function answerTurns(controller: ResourceRequest, action: BulkAction, turns: readonly Turn[]): Reply {
  const refused = turns.filter((turn) => turn.refused !== undefined);
  const failed = turns.filter((turn) => turn.failed !== undefined);
  const done = turns.filter((turn) => turn.refused === undefined && turn.failed === undefined);
  if (controller.request.format === "json") {
    const data = {
      done: done.map(({ id }) => id),
      refused: refused.map(({ id, refused: reason }) => ({ id, reason })),
      failed: failed.map(({ id, failed: reason }) => ({ id, reason })),
    };
    return controller.json({ data });
  }
  const kind = done.length === turns.length ? "success" : done.length > 0 ? "warning" : "error";
  const said = sentences(controller, action, { done, refused, failed });
  const ids = done.map(({ id }) => id);
  const isDeletion = action.interaction === DestroyRecord;
  const notice = isDeletion ? controller.resources.hooks.destroyed.call(ids, controller) : undefined;
  controller.flash.add(kind, [...said, ...(notice ? [notice.text] : [])].join(" "), notice?.action);
  return controller.redirectTo(backToList(controller));
}

interface Sorted {
  done: readonly Turn[];
  refused: readonly Turn[];
  failed: readonly Turn[];
}

function sentences(controller: ResourceRequest, action: BulkAction, { done, refused, failed }: Sorted): string[] {
  const t = (key: string, vars: Record<string, unknown>) => controller.t(`resource.bulk.${key}`, vars);
  const count = done.length;
  const usual = t("done", { action: actionLabel(controller, action), count });
  const said = count > 0 ? [controller.request.tOr(`resource.bulk.did.${action.key}`, usual, { count })] : [];
  for (const kind of ["policy", "condition"]) {
    const turns = refused.filter((turn) => turn.refused === kind);
    if (turns.length > 0) said.push(t(kind, { count: turns.length, names: named(controller, turns) }));
  }
  const stopped = refused.filter((turn) => turn.refused === "stopped").length;
  if (stopped > 0) said.push(t("stopped", { count: stopped }));
  const gone = refused.filter((turn) => turn.label === undefined && turn.refused !== "stopped").length;
  if (gone > 0) said.push(t("gone", { count: gone }));
  if (failed.length > 0) said.push(t("failed", { count: failed.length, names: named(controller, failed) }));
  return said;
}

/** The first of them by their labels, with the reason where there is one, and the number of the others. */
function named(controller: ResourceRequest, turns: readonly Turn[]): string {
  const name = ({ label, id, failed }: Turn) => {
    const text = cut(label ?? String(id), MAX_LABEL_CHARS);
    return failed === undefined ? text : `${text} (${cut(failed, MAX_REASON_CHARS).replace(/\.$/, "")})`;
  };
  return firstOf(controller, turns, name);
}

/** "Alpha, Beta and 3 more" */
export function firstOf<T>(controller: ResourceRequest, all: readonly T[], name: (one: T) => string): string {
  const names = all.slice(0, MAX_NAMED).map(name).join(", ");
  const others = all.length - MAX_NAMED;
  return others > 0 ? `${names} ${controller.t("resource.bulk.more", { count: others })}` : names;
}

const cut = (text: string, most: number): string => {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
};
