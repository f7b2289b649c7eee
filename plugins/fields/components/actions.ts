import { escapeHtml, raw, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import { methodField } from "./attributes.ts";
import type { ActionView } from "./types.ts";

/** The Turbo frame of the shell's dialog. */
const DIALOG_FRAME = "modal";
const STYLES = { primary: "btn btn-primary", secondary: "btn", danger: "btn btn-outline-danger" } as const;
const ICONS: Record<string, string> = { new: "plus", show: "eye", edit: "pencil", destroy: "trash" };

/** The icon of an action: its own, or the usual one of its key. */
export const actionIcon = (action: ActionView): string | undefined => action.icon ?? ICONS[action.key];

/** How an action is drawn: the attributes that look the same wherever it is, and what is inside. */
export interface ActionLook {
  attributes: string;
  content: string;
}

const frame = ({ open, turboFrame }: ActionView): string => {
  if (open !== undefined) return ` data-turbo-frame="${DIALOG_FRAME}" data-open="${open}"`;
  return turboFrame === undefined ? "" : ` data-turbo-frame="${escapeHtml(turboFrame)}"`;
};

/** An action as a link, or as a small form for what changes something; it works without JavaScript. */
export function actionMarkup(action: ActionView, look: ActionLook): string {
  return action.method === "get" || action.confirmUrl !== undefined ? link(action, look) : button(action, look);
}

function link(action: ActionView, look: ActionLook): string {
  const { url, method, confirmUrl, prefetch, open, turboFrame, newTab } = action;
  const inDialog = confirmUrl !== undefined && (method !== "get" || (open ?? turboFrame) === undefined);
  let extra = frame(action);
  if (prefetch === false) extra += ' data-turbo-prefetch="false"';
  if (newTab) extra += ' target="_blank" rel="noopener noreferrer"';
  if (inDialog) extra += " data-confirm-page";
  return `<a href="${escapeHtml(safeUrl(confirmUrl ?? url))}"${look.attributes}${extra}>${look.content}</a>`;
}

function button(action: ActionView, look: ActionLook): string {
  const { url, method, confirmation, csrf, download } = action;
  const asked = confirmation === undefined ? "" : ` data-turbo-confirm="${escapeHtml(confirmation)}"`;
  const own = download ? ' data-turbo="false"' : "";
  const fields = `${csrf?.html ?? ""}${methodField(method)}`;
  return `<form class="fw-action-form" method="post" action="${escapeHtml(safeUrl(url))}"${frame(action)}${own}${asked}>${fields}<button${look.attributes}>${look.content}</button></form>`;
}

/** An action as a button with its label. */
export function actionButton(action: ActionView, style: string = STYLES[action.category]): SafeHtml {
  const sign = actionIcon(action);
  const content = `${sign ? iconOrNothing(sign).html : ""}${escapeHtml(action.label)}`;
  return raw(actionMarkup(action, { attributes: ` class="${style}"`, content }));
}

const ORDER = ["secondary", "danger", "primary"] as const;

/** The actions of a page after a menu, the main one last, where the hand is. */
export function actionBar(actions: readonly ActionView[], menu?: SafeHtml): SafeHtml {
  if (actions.length === 0 && !menu) return raw("");
  let html = `<div class="fw-actions">${menu?.html ?? ""}`;
  for (const category of ORDER)
    for (const action of actions) if (action.category === category) html += actionButton(action).html;
  return raw(`${html}</div>`);
}

/** How many actions are beside the main one; where there are more, they are all in the menu. */
const MAX_BESIDE = 2;

/**
 * The actions of a record's page after a menu: "Edit", the main action last and filled, which is "Edit" where none is primary,
 * and what is dangerous, or too much for a line, behind a button called `more`.
 */
export function recordBar(actions: readonly ActionView[], more: string, menu?: SafeHtml): SafeHtml {
  const main = actions.find(({ category }) => category === "primary") ?? actions.find(({ key }) => key === "edit");
  const rest = actions.filter((action) => action !== main);
  const safe = rest.filter(({ category, key }) => category !== "danger" && key !== "edit");
  const beside = rest.filter(({ key }) => key === "edit").concat(safe.length > MAX_BESIDE ? [] : safe);
  const behind = rest.filter((action) => !beside.includes(action));
  if (!main && beside.length + behind.length === 0 && !menu) return raw("");
  const shown = beside.map((action) => actionButton(action).html).join("");
  const first = main ? actionButton(main, STYLES.primary).html : "";
  return raw(`<div class="fw-actions">${menu?.html ?? ""}${shown}${first}${moreActions(behind, more)}</div>`);
}

function moreActions(actions: readonly ActionView[], label: string): string {
  if (actions.length === 0) return "";
  const lines = actions.map((action) => actionButton(action, `fw-dropdown-item fw-action-${action.category}`).html);
  const title = escapeHtml(label);
  return `<details class="fw-dropdown fw-more-actions"><summary class="btn" aria-label="${title}" title="${title}">${iconOrNothing("dots").html}</summary><div class="fw-dropdown-panel">${lines.join("")}</div></details>`;
}
