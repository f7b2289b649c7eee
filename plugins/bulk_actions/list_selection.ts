import { csrfInput, escapeHtml, localeOf, type SafeHtml } from "framewright/host";
import { actionIcon, attributes, grouped, hidden } from "framewright/plugins/fields/toolkit";
import { allows, type ResourceRequest } from "framewright/plugins/resources";
import { actionLabel, isHidden, type ListRows, ListUrls } from "framewright/plugins/resources/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import { type BulkAction, bulkActionsOf } from "./bulk_action.ts";
import { mayRunAll } from "./limits.ts";
import { bulkPath } from "./selection.ts";

/** Rows have forms of their own, and forms can't nest: the boxes name theirs. */
const FORM = "fw-bulk";

/** The actions on selected rows that the policy may allow the person. */
function offeredBulk(controller: ResourceRequest): readonly BulkAction[] {
  const actions = bulkActionsOf(controller.registration);
  if (actions.length === 0) return actions;
  const policy = controller.policyFor();
  return actions.filter(({ key, policy: name = key }) => allows(policy, name) && !isHidden(controller, key, undefined));
}

/** Adds the boxes of the rows, and the bar below them, to a list with actions on selected rows. */
export function addSelection(rows: ListRows): Promise<void> | undefined {
  const actions = offeredBulk(rows.controller);
  return actions.length > 0 ? offer(rows, actions) : undefined;
}

async function offer(rows: ListRows, actions: ReturnType<typeof offeredBulk>): Promise<void> {
  const { controller } = rows;
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`resource.bulk.${key}`, vars);
  const select = t("select");
  const box = ' type="checkbox" class="form-check-input"';
  const title = escapeHtml(t("select_page"));
  const more = rows.total > rows.entries.length && (await mayRunAll(controller, actions));
  rows.selection = {
    cell: (entry) => {
      const label = escapeHtml(`${select} ${entry.toLabel()}`);
      const name = `name="ids[]" value="${escapeHtml(String(entry.id))}" form="${FORM}"`;
      return `<td class="fw-select"><label><input${box} ${name} aria-label="${label}"></label></td>`;
    },
    header: `<th scope="col" class="fw-select"><span class="visually-hidden">${escapeHtml(select)}</span><label><input${box} aria-label="${title}" data-select-page hidden></label></th>`,
    bar: bar(rows, actions, more),
  };
}

/** `more`: all that match can be selected, and more do than the page has. */
function bar({ controller, list, total: matching, isCapped }: ListRows, actions: readonly BulkAction[], more: boolean) {
  const urls = new ListUrls(controller, list);
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`resource.bulk.${key}`, vars);
  const total = more ? grouped(matching, localeOf(controller.request.locale)) + (isCapped ? "+" : "") : undefined;
  const own = attributes({
    id: FORM,
    class: "fw-bulk",
    method: "get",
    action: urls.base,
    "aria-label": t("title"),
    "data-bulk": true,
    "data-selected": t("selected", { total: "#" }),
    "data-all": total === undefined ? undefined : t("all_selected", { total }),
  });
  const carried = urls.narrowing().map(([name, value]) => hidden(name, value));
  const all = total === undefined ? "" : everything(t("select_all", { total }));
  const plain = (name: string, text: string) =>
    `<button type="button" class="btn btn-ghost-secondary" ${name} hidden>${escapeHtml(text)}</button>`;
  const count = '<output class="fw-bulk-count" data-bulk-count></output>';
  const buttons = actions.map((action) => button(controller, action, urls)).join("");
  return `<form${own}>${carried.join("")}${hidden("return_to", controller.request.raw.url)}${count}${all}<div class="fw-bulk-actions">${buttons}${plain("data-bulk-page", t("select_page"))}${plain("data-bulk-clear", t("clear"))}</div></form>`;
}

const everything = (text: string): string =>
  `<label class="form-check" data-bulk-all><input type="checkbox" class="form-check-input" name="all" value="1"><span class="form-check-label">${escapeHtml(text)}</span></label>`;

/** An action that asks leads to its question or form; another one is done at once. */
function button(controller: ResourceRequest, action: BulkAction, urls: ListUrls): string {
  const url = urls.action(`${urls.base}/${bulkPath(action.key)}`);
  const { category = "secondary", confirmation, interaction } = action;
  const asks = confirmation !== false || Object.keys(interaction.attributes).length > 0;
  const style = category === "danger" ? "btn btn-outline-danger" : category === "primary" ? "btn btn-primary" : "btn";
  const own = attributes({ class: style, formaction: url, formmethod: asks ? undefined : "post" });
  const label = actionLabel(controller, action);
  const icon = actionIcon({ ...action, url, label, method: "get", category } as never);
  const content = `${icon === undefined ? "" : iconOrNothing(icon).html}${escapeHtml(label)}`;
  return `<button${own}${asks ? "" : token(csrfInput(controller.request, url, "post"))}>${content}</button>`;
}

/** The token of a form as the value of its button: the other buttons of the form would carry it into an address. */
const token = ({ html }: SafeHtml): string => ` ${/name="[^"]*" value="[^"]*"/.exec(html)![0]}`;
