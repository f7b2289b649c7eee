import { escapeHtml, html, raw, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing, iconSheet, iconUse } from "framewright/plugins/views";
import { actionButton, actionIcon, actionMarkup } from "./actions.ts";
import { attributes } from "./attributes.ts";
import type { ActionView, ColumnView, EmptyView, RowView, SortLink, TableView, Translate } from "./types.ts";

/** What is before each cell of a table, the end of the one before it included. */
interface CellStarts {
  /** With the label that a narrow screen shows in place of the header. */
  labelled: readonly string[];
  /** For rows that lead to a record: there a narrow screen labels numbers, yes and no alone. */
  linked: readonly string[];
}
/** Module-level: found by the columns of a table, and freed with them. */
const cellStarts = new WeakMap<readonly Labelled[], CellStarts>();
type Labelled = Pick<ColumnView, "label" | "numeric" | "isBoolean" | "priority">;

export function startsOf(columns: readonly Labelled[]): CellStarts {
  let starts = cellStarts.get(columns);
  if (!starts) {
    const start = (at: number, attributes: string) => `${at === 0 ? "" : "</td>"}<td${attributes}>`;
    const labelled = columns.map(({ label, numeric }, at) =>
      start(at, ` data-label="${escapeHtml(label)}"${numeric === true ? ' class="fw-numeric"' : ""}`),
    );
    const isPlain = ({ numeric, isBoolean }: Labelled, at: number) => numeric !== true && (at === 0 || !isBoolean);
    starts = { labelled, linked: columns.map((one, at) => (isPlain(one, at) ? start(at, "") : labelled[at]!)) };
    cellStarts.set(columns, starts);
  }
  return starts;
}

export function header({ label, numeric, priority }: Labelled, sort: SortLink | undefined, t: Translate): SafeHtml {
  const side = raw(attributes({ class: numeric === true ? "fw-numeric" : undefined, "data-priority": priority }));
  if (!sort) return html`<th scope="col"${side}>${label}</th>`;
  const { direction, place = 1 } = sort;
  const state = raw(direction && place === 1 ? ` aria-sort="${direction === "asc" ? "ascending" : "descending"}"` : "");
  const hint = t("resource.sort_by", { column: label });
  const frame = raw(attributes({ "data-turbo-frame": sort.frame, "data-sort": direction }));
  return html`<th scope="col"${side}${state}><a class="fw-sort" href="${safeUrl(sort.url)}" title="${hint}"${frame}>${label}${sort.place !== undefined && html`<sup>${sort.place}</sup>`}</a></th>`;
}

/**
 * The first cell leads to the record: links that its type draws, of an email or of an associated record, are left out;
 * those that a definition formats stay. `href` is escaped.
 */
export function rowLink(content: string, href: string | undefined, keepsLinks = true): string {
  if (href === undefined) return content;
  if (!content.includes("<a ")) return `<a class="fw-row-link" href="${href}">${content}</a>`;
  return keepsLinks ? content : `<a class="fw-row-link" href="${href}">${content.replace(/<\/?a\b[^>]*>/g, "")}</a>`;
}

export function rowAction(action: ActionView, label: string | undefined): string {
  const words = escapeHtml(label === undefined ? action.label : `${action.label}: ${label}`);
  const sign = actionIcon(action);
  const drawn = sign === undefined ? "" : iconUse(sign).html;
  const tone = action.category === "danger" ? " fw-row-action-danger" : "";
  if (drawn === "")
    return actionMarkup(action, { attributes: ` class="fw-row-action${tone}"`, content: escapeHtml(action.label) });
  const attributes = ` class="fw-row-action${tone}" aria-label="${words}" title="${escapeHtml(action.label)}"`;
  return actionMarkup(action, { attributes, content: drawn });
}

function row(view: RowView, columns: readonly ColumnView[], starts: CellStarts, hasActions: boolean): string {
  let out = "<tr>";
  const href = view.url === undefined ? undefined : escapeHtml(safeUrl(view.url));
  const before = href === undefined ? starts.labelled : starts.linked;
  for (let i = 0; i < columns.length; i++) {
    const content = (columns[i] as ColumnView).render(view.record).html;
    out += before[i]! + (i === 0 ? rowLink(content, href) : content);
  }
  if (columns.length > 0) out += "</td>";
  if (!hasActions) return `${out}</tr>`;
  out += '<td class="fw-row-actions"><div>';
  for (const action of view.actions) {
    if (action.key !== "show" || action.url !== view.url) out += rowAction(action, view.label);
  }
  return `${out}</div></td></tr>`;
}

/** Nothing to list: why, and what to do next. */
export function emptyState({ title, text, icon = "inbox", action }: EmptyView): SafeHtml {
  return html`<div class="fw-empty"><span class="fw-empty-icon">${iconOrNothing(icon)}</span><h2>${title}</h2><p>${text}</p>${action && actionButton(action)}</div>`;
}

/** A list of records; on a narrow screen each is a card. */
export function table({ columns, rows, empty, caption, sort, t }: TableView): SafeHtml {
  if (rows.length === 0) return emptyState(empty);
  const starts = startsOf(columns);
  const actions = rows.flatMap((one) => one.actions as ActionView[]);
  const hasActions = actions.length > 0;
  const sheet = iconSheet(actions.flatMap((action) => actionIcon(action) ?? []));
  let body = "";
  for (const one of rows) body += row(one, columns, starts, hasActions);
  let headers = "";
  for (const column of columns) headers += header(column, sort?.(column.name), t).html;
  return raw(framed({ sheet: sheet.html, caption, headers, body, hasActions, t }));
}

interface Framed {
  sheet: string;
  caption: string;
  headers: string;
  body: string;
  hasActions: boolean;
  /** What is shown below the rows. */
  foot?: Foot | undefined;
  /** Whether its rows are low. */
  isCompact?: boolean;
  changeHeaders?: (drawn: string) => string;
  t: Translate;
}
/** What is around the rows of a table. */
export function framed({ sheet, caption, headers, body, hasActions, foot, t, ...look }: Framed): string {
  const last = hasActions
    ? `<th scope="col" class="fw-row-actions"><span class="visually-hidden">${escapeHtml(t("framework.actions"))}</span></th>`
    : "";
  return `${sheet}<div class="fw-table-wrap" data-more-columns="${escapeHtml(t("framework.more_columns"))}"><table class="table fw-table${look.isCompact ? " fw-compact" : ""}"><caption class="visually-hidden">${escapeHtml(caption)}</caption><thead><tr>${look.changeHeaders?.(headers) ?? headers}${last}</tr></thead><tbody>${body}</tbody>${foot ? footRow(foot, hasActions) : ""}</table></div>`;
}

/** The row below a list: content by the names of columns, and a title in the first cell. */
interface Foot {
  readonly title: string;
  readonly cells: ReadonlyMap<string, string>;
  readonly columns: readonly (Labelled & { readonly name: string })[];
  /** Whether a cell is drawn before those of the columns. */
  readonly hasLead: boolean;
}
function footRow({ columns, title, cells, hasLead }: Foot, hasActions: boolean): string {
  const drawn = columns.map(({ name, label, numeric }, at) => {
    const side = numeric === true ? ' class="fw-numeric"' : "";
    const heading = at === 0 ? `<span class="fw-totals-title">${escapeHtml(title)}</span> ` : "";
    const content = cells.get(name);
    if (content === undefined) return `<td${side}>${heading}</td>`;
    return `<td data-label="${escapeHtml(label)}"${side}>${heading}${content}</td>`;
  });
  const before = hasLead ? '<td class="fw-select"></td>' : "";
  return `<tfoot><tr>${before}${drawn.join("")}${hasActions ? '<td class="fw-row-actions"></td>' : ""}</tr></tfoot>`;
}
