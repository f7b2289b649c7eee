import { csrfInput, escapeHtml } from "framewright/host";
import { fieldMarks, mayWrite } from "framewright/plugins/cards";
import { hidden } from "framewright/plugins/fields/toolkit";
import { isAllowed, predicateOf, type ResourceRequest } from "framewright/plugins/resources";
import { actionLabel, type Entry, hrefOf, isHidden } from "framewright/plugins/resources/toolkit";
import { iconUse } from "framewright/plugins/views";
import type { Board } from "./board_options.ts";

/** The page that a move returns to, and what the columns of the board are called. */
export interface MoveSource {
  readonly board: Board;
  readonly back: string;
  /** What the value of the cards' column is marked by: that it is another one meanwhile is noticed, what else was changed does not matter. */
  readonly marks: string;
  labelOf(value: string | null): string;
}

/** What moves a card to other columns: buttons and links, each with the value of its column. Empty for a card that stays. */
export function movesOf(controller: ResourceRequest, entry: Entry, source: MoveSource): string {
  return source.board.machine ? transitionsOf(controller, entry, source) : updatesOf(controller, entry, source);
}

/** The transitions that leave the card's state, as far as the policy and their guards allow them. */
function transitionsOf(controller: ResourceRequest, entry: Entry, { board, back, labelOf }: MoveSource): string {
  const { actions } = controller.registration.definition;
  const state = String(entry.column(board.by));
  const url = entry.url();
  let out = "";
  for (const { name, to } of board.machine!.from(state)) {
    const action = actions.get(name);
    const lane = to(state);
    if (!action || lane === undefined || lane === state || isHidden(controller, name, entry)) continue;
    if (!isAllowed(entry.policy(), predicateOf(action.policy ?? name))) continue;
    const words = `${escapeHtml(labelOf(lane))} <small>${escapeHtml(actionLabel(controller, action))}</small>`;
    const { interaction, confirmation } = action;
    const asks =
      Object.keys(interaction?.attributes ?? {}).length > 0 || (confirmation !== undefined && confirmation !== false);
    const value = escapeHtml(lane);
    if (asks) {
      const href = `${hrefOf(`${url}/actions/${name}`)}?return_to=${escapeHtml(encodeURIComponent(back))}`;
      out += `<a class="fw-dropdown-item" data-to="${value}" href="${href}">${words}</a>`;
      continue;
    }
    const target = `${url}/transitions/${name}`;
    out += form(controller, target, back, `<button class="fw-dropdown-item" data-to="${value}">${words}</button>`);
  }
  return out;
}

/** The other values of the column, where the person may write it. */
function updatesOf(controller: ResourceRequest, entry: Entry, { board, back, marks, labelOf }: MoveSource): string {
  const { by, values, hasNone } = board;
  if (!mayWrite(controller, entry, by)) return "";
  const value = entry.column(by) ?? null;
  const others = [...(hasNone ? [null] : []), ...values].filter((one) => one !== value);
  const name = escapeHtml(`${controller.registration.key}[${by}]`);
  const buttons = others.map((one) => {
    const sent = escapeHtml(one ?? "");
    return `<button class="fw-dropdown-item" name="${name}" value="${sent}" data-to="${sent}">${escapeHtml(labelOf(one))}</button>`;
  });
  return form(controller, `${entry.url()}/board`, back, fieldMarks(marks) + buttons.join(""));
}

const form = (controller: ResourceRequest, url: string, back: string, content: string): string =>
  `<form method="post" action="${hrefOf(url)}">${csrfInput(controller.request, url, "post").html}${hidden("return_to", back)}${content}</form>`;

/** What moves a card within its column, past the ones beside it; where these are not on the page, past those of the list. */
export function orderOf(
  controller: ResourceRequest,
  entry: Entry,
  { back }: MoveSource,
  beside: { entries: readonly Entry[]; at: number } | undefined,
): string {
  const button = (name: "before" | "after", step: -1 | 1) => {
    const to = beside?.entries[beside.at + step];
    if (beside && !to) return "";
    const way = name === "before" ? "up" : "down";
    const [sent, value] = to ? [name, String(to.id)] : ["move", way];
    const words = escapeHtml(controller.t(`resource.board.${way}`));
    return `<button class="fw-dropdown-item" name="${sent}" value="${escapeHtml(value)}" data-way="${way}">${iconUse(`arrow-${way}`).html}${words}</button>`;
  };
  return form(controller, `${entry.url()}/order`, back, button("before", -1) + button("after", 1));
}
