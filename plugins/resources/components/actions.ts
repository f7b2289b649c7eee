import { escapeHtml, raw, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import { attributes, methodField } from "./attributes.ts";
import type { ActionView } from "./types.ts";

const STYLES = { primary: "btn btn-primary", secondary: "btn", danger: "btn btn-outline-danger" } as const;
const ICONS: Record<string, string> = { new: "plus", show: "eye", edit: "pencil", destroy: "trash" };

/** The icon of an action: its own, or the usual one of its key. */
export const actionIcon = (action: ActionView): string | undefined => action.icon ?? ICONS[action.key];

/** How an action is drawn: the attributes that look the same wherever it stands, and what is inside. */
export interface ActionLook {
  attributes: string;
  content: string;
}

/** An action as a link, or as a small form for what changes something; it works without JavaScript. */
export function actionMarkup(action: ActionView, look: ActionLook): string {
  const { url, method, confirmUrl, turboFrame, confirmation, prefetch } = action;
  if (method === "get" || confirmUrl !== undefined) {
    const extra = attributes({
      "data-turbo-frame": turboFrame,
      "data-turbo-prefetch": prefetch === false ? "false" : undefined,
      "data-confirm-page": method !== "get",
    });
    return `<a href="${escapeHtml(safeUrl(confirmUrl ?? url))}"${look.attributes}${extra}>${look.content}</a>`;
  }
  const extra = attributes({ "data-turbo-frame": turboFrame, "data-turbo-confirm": confirmation });
  const fields = `${action.csrf?.html ?? ""}${methodField(method)}`;
  return `<form class="fw-action-form" method="post" action="${escapeHtml(safeUrl(url))}"${extra}>${fields}<button${look.attributes}>${look.content}</button></form>`;
}

/** An action as a button with its words. */
export function actionButton(action: ActionView, style: string = STYLES[action.category]): SafeHtml {
  const sign = actionIcon(action);
  const content = `${sign ? iconOrNothing(sign).html : ""}${escapeHtml(action.label)}`;
  return raw(actionMarkup(action, { attributes: ` class="${style}"`, content }));
}

const ORDER = { secondary: 0, danger: 1, primary: 2 } as const;

/** The actions of a page, the main one last, where the hand is. */
export function actionBar(actions: readonly ActionView[]): SafeHtml {
  if (actions.length === 0) return raw("");
  const sorted = [...actions].sort((a, b) => ORDER[a.category] - ORDER[b.category]);
  return raw(`<div class="fw-actions">${sorted.map((action) => actionButton(action).html).join("")}</div>`);
}
