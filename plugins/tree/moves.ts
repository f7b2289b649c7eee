import { csrfInput, escapeHtml } from "framewright/host";
import { fieldMarks, mayWrite } from "framewright/plugins/cards";
import { hidden } from "framewright/plugins/fields/toolkit";
import type { ResourceRequest } from "framewright/plugins/resources";
import { type Entry, hrefOf, originalMarks } from "framewright/plugins/resources/toolkit";
import { iconUse } from "framewright/plugins/views";
import type { Branch } from "./branch.ts";

/** The records of a branch, and the page that a move returns to. */
interface MoveSource {
  readonly branch: Branch;
  readonly entries: readonly Entry[];
  readonly back: string;
}

/**
 * What puts the record at a place of the branch below another one: out of the branch, or below the one before or after it. Scripts
 * send the form with what it is dragged below. Empty for a record that the person may not move.
 */
export async function moveForm(controller: ResourceRequest, at: number, source: MoveSource): Promise<string> {
  const { branch, entries, back } = source;
  const entry = entries[at]!;
  const { registration, request } = controller;
  if (branch.isFlat || !mayWrite(controller, entry, branch.parent)) return "";
  const marks = await originalMarks(controller, [registration.attribute(branch.parent)], entry.record);
  const name = `${registration.key}[${branch.parent}]`;
  const t = (key: string, vars?: Record<string, unknown>) => escapeHtml(controller.t(`resource.tree.${key}`, vars));
  const button = (value: unknown, text: string) =>
    `<button class="fw-dropdown-item" name="${escapeHtml(name)}" value="${escapeHtml(String(value))}">${text}</button>`;
  const [above, current] = [branch.path.at(-2), branch.path.at(-1)];
  const isTop = current !== undefined && above === undefined && branch.isWhole;
  const out = above || isTop ? button(above?.id ?? "", t("out", { name: current!.toLabel() })) : "";
  const beside = [entries[at - 1], entries[at + 1]].filter((one) => one !== undefined);
  const below = beside.map((one) => button(one.id, t("put_below", { name: one.toLabel() })));
  const url = `${entry.url()}/tree`;
  const title = t("move", { name: entry.toLabel() });
  const carried = csrfInput(request, url, "post").html + hidden("return_to", back) + fieldMarks(marks);
  return `<form method="post" action="${hrefOf(url)}" data-name="${escapeHtml(name)}">${carried}<details class="fw-dropdown"><summary class="fw-row-action" aria-label="${title}" title="${title}">${iconUse("dots").html}</summary><div class="fw-dropdown-panel">${out}${below.join("")}</div></details></form>`;
}
