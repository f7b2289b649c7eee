import { escapeHtml, html, humanize, raw, type SafeHtml, safeUrl } from "framewright/host";
import { framed, header, rowLink, startsOf } from "framewright/plugins/fields/toolkit";
import { fieldLabel, isAllowed, type ResourceRequest, valueLabels } from "framewright/plugins/resources";
import {
  type Entry,
  fromList,
  hrefOf,
  listLabel,
  numberText,
  type ShapePage,
} from "framewright/plugins/resources/toolkit";
import { GROUP, type Group, type Groups, keyOf } from "./read_groups.ts";

/** The totals of the columns of some rows, by their names. */
export type Totals = (group: Group) => Promise<ReadonlyMap<string, string> | undefined>;

/** A table with the groups of a list, each with its name, the number of its rows, their totals and the first of them. */
export async function drawGroups(
  controller: ResourceRequest,
  view: ShapePage,
  { by, groups, more, choices, totals }: Groups & { choices: readonly string[]; totals: Totals | undefined },
): Promise<SafeHtml> {
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`resource.grouping.${key}`, vars);
  const { urls } = view;
  const columns = view.columns.filter(({ name }) => name !== by);
  const shown = { ...view, columns };
  const bodies: string[] = [];
  for (const group of groups) bodies.push(await bodyOf(controller, shown, { by, group, totals }));
  const headers = columns
    .map((column) => header(column, undefined, (key, vars) => controller.t(key, vars)).html)
    .join("");
  const table = framed({
    sheet: "",
    caption: listLabel(controller, controller.about),
    headers,
    body: bodies.join("</tbody><tbody>"),
    hasActions: false,
    t: (key, vars) => controller.t(key, vars),
  });
  const links = choices.map((name) => {
    const current = raw(name === by ? ' aria-current="true"' : "");
    const label = fieldLabel(controller, controller.registration, controller.registration.attribute(name), "listed");
    return html`<a class="fw-scope" href="${safeUrl(urls.shape(`groups.${name}`))}"${current}>${label}</a>`;
  });
  const whole = controller.params.has(GROUP) && html`<a class="btn" href="${safeUrl(urls.same())}">${t("all")}</a>`;
  const rest = more > 0 && html`<p class="fw-empty-line">${t("more", { count: more })}</p>`;
  return html`<div class="fw-grouped-by"><span id="fw-grouped-by">${t("by")}</span><div role="group" aria-labelledby="fw-grouped-by">${links}</div>${whole}</div>${raw(table)}${rest}`;
}

interface Body {
  readonly by: string;
  readonly group: Group;
  readonly totals: Totals | undefined;
}

async function bodyOf(controller: ResourceRequest, view: ShapePage, { by, group, totals }: Body): Promise<string> {
  const { columns, list, urls } = view;
  const { page, value } = group;
  const label = labelOf(controller, by, group);
  const { tones = {} } = controller.registration.attribute(by).listed;
  const key = keyOf(value);
  const tone = Object.hasOwn(tones, key) ? ` class="fw-status fw-status-${escapeHtml(String(tones[key]))}"` : "";
  const count = numberText(controller, page.total) + (page.capped ? "+" : "");
  const sums = await totals?.(group);
  const cells = columns
    .slice(1)
    .map(({ name, numeric }) => `<td${numeric === true ? ' class="fw-numeric"' : ""}>${sums?.get(name) ?? ""}</td>`);
  const head = `<tr class="fw-group-head"><th scope="rowgroup"><span${tone}>${escapeHtml(label)}</span> <span class="badge">${count}</span></th>${cells.join("")}</tr>`;
  const from = fromList(controller, list, urls);
  const rows = page.entries.map((entry) => rowOf(entry, columns, from)).join("");
  const isOne = controller.params.has(GROUP);
  const first = isOne ? (list.page - 1) * list.perPage : 0;
  const isMore = page.capped || page.total > first + page.entries.length;
  const next = isOne ? urls.page(list.page + 1, list.askedPerPage) : urls.same();
  const url = `${next}${next.includes("?") ? "&" : "?"}${GROUP}=${encodeURIComponent(key)}`;
  const text = controller.t(isOne ? "resource.grouping.next" : "resource.grouping.whole", { name: label, count });
  const foot = isMore
    ? `<tr class="fw-group-foot"><td colspan="${columns.length}"><a href="${hrefOf(url)}">${escapeHtml(text)}</a></td></tr>`
    : "";
  return head + rows + foot;
}

function rowOf(entry: Entry, columns: ShapePage["columns"], from: string): string {
  const { linked, labelled } = startsOf(columns);
  const href = hrefOf(entry.url());
  const isOpen = isAllowed(entry.policy(), "canShow");
  let out = "";
  for (const [at, column] of columns.entries()) {
    const content = column.cell(entry);
    const shown =
      at === 0
        ? rowLink(content, isOpen ? (href.includes("?") ? href : href + from) : undefined, column.keepsLinks)
        : content;
    out += (isOpen ? linked : labelled)[at]! + shown;
  }
  return `<tr>${out}</td></tr>`;
}

/** What a group is called: its record, the label of its choice, yes or no. */
function labelOf(controller: ResourceRequest, by: string, { value, page }: Group): string {
  const { registration } = controller;
  if (value === null) return controller.t("resource.grouping.none");
  if (registration.model.associations.has(by))
    return page.entries[0]?.related(by)?.toLabel() ?? controller.t("resource.grouping.none");
  if (registration.model.columns.get(by)?.type === "boolean")
    return controller.t(Number(value) === 1 || value === true ? "framework.yes" : "framework.no");
  return valueLabels(controller, registration, by)?.[String(value)] ?? humanize(String(value));
}
