import { escapeHtml } from "framewright/host";
import type { ColumnView } from "../components/index.ts";
import { framed, rowLink, startsOf } from "../components/table.ts";
import type { ResourceController } from "../controller.ts";
import { isAllowed, type Policy } from "../definition/policy.ts";
import { isCompact } from "../density/density.ts";
import type { Cell } from "../entry/cells.ts";
import type { Entry } from "../entry/entry.ts";
import { hrefOf } from "../registration/urls.ts";
import { applies } from "./chrome.ts";
import { iconSheetFor, type RowAction, rowActionsOf } from "./row_actions.ts";

/** A column of a list, compiled. */
export interface ListColumn extends Omit<ColumnView, "render"> {
  sortable: boolean;
  /** Whether links in its cells are those of the definition. */
  keepsLinks: boolean;
  cell: Cell;
}

/** Of a row: what stands in its cells; undefined where none of them is edited. */
export type CellEdit = (entry: Entry) => ((column: ListColumn, shown: string, isFirst: boolean) => string) | undefined;

/** What moves a row up and down, or nothing. */
export type RowMoves = (entry: Entry) => string;

/** What rows have beside their values and actions. */
export interface RowParts {
  lead?: ((entry: Entry) => string) | undefined;
  edit?: CellEdit | undefined;
  moves?: RowMoves | undefined;
  /** The query by which the pages of rows know the list: `?_list=…`. */
  from?: string;
  /** The address that actions return to; by default they lead to the record or the list. */
  back?: string;
  /** How actions name the record; by its label unless something else is given. */
  labelOf?: ((entry: Entry) => string) | undefined;
}

/** The icons of the links and buttons that stand in rows beside their actions. */
export const EDIT_ICON = "pencil";
export const ORDER_ICONS = ["arrow-up", "arrow-down", "grip-vertical"] as const;

interface Drawn {
  cells: string;
  actions: string;
}

/** What stands between cells and actions, and after cells alone. Neighbouring constants are one piece, because each piece of a page costs. */
const rowParts = {
  afterCell: ['</td><td class="fw-row-actions"><div>', "</td></tr>"],
  alone: ['<td class="fw-row-actions"><div>', "</tr>"],
} as const;

/** Draws the rows of a list, with the actions that the policy allows on each; the markup is that of the component `table`. */
export class RowsDrawer {
  readonly icons = new Set<string>();
  /** The scripts that what was drawn needs. */
  readonly scripts = new Set<string>();
  /** Whether a row has an action, drawn or not: then each has a place for them. */
  hasActions = false;
  readonly #controller: ResourceController;
  readonly #columns: readonly ListColumn[];
  readonly #starts: readonly string[];
  readonly #actions: readonly RowAction[];

  /** What each row begins with. */
  readonly #lead: ((entry: Entry) => string) | undefined;
  /** What moves a row; it stands before the actions. */
  readonly #moves: RowMoves | undefined;
  /** What stands around the cells of a list that are edited in it. */
  readonly #edit: CellEdit | undefined;

  /** The query by which the pages of rows know the list; of an address that has one itself it is left out. */
  readonly #from: string;
  readonly #back: string | undefined;
  readonly #labelOf: ((entry: Entry) => string) | undefined;

  constructor(
    controller: ResourceController,
    columns: readonly ListColumn[],
    { lead, edit, moves, from = "", back, labelOf }: RowParts = {},
  ) {
    this.#moves = moves;
    this.#controller = controller;
    this.#lead = lead;
    this.#edit = edit;
    this.#from = from;
    this.#columns = columns;
    this.#starts = startsOf(columns);
    this.#actions = rowActionsOf(controller, back !== undefined);
    this.#back = back === undefined ? undefined : encodeURIComponent(back);
    this.#labelOf = labelOf;
  }

  #use(script: string, ...icons: readonly string[]): void {
    this.scripts.add(script);
    for (const name of icons) this.icons.add(name);
  }

  draw(entries: readonly Entry[]): string {
    const rows = entries.map((entry) => this.#row(entry));
    let body = "";
    const [actionsStart, end] = this.#columns.length > 0 ? rowParts.afterCell : rowParts.alone;
    for (const { cells, actions } of rows)
      body += this.hasActions ? `<tr>${cells}${actionsStart}${actions}</div></td></tr>` : `<tr>${cells}${end}`;
    return body;
  }

  #row(entry: Entry): Drawn {
    const url = entry.url();
    const href = hrefOf(url);
    const policy = entry.policy();
    const shown = isAllowed(policy, "canShow");
    const actions = this.#drawnActions(entry, policy, shown, { url, href });
    return { cells: this.#cells(entry, shown ? (href.includes("?") ? href : href + this.#from) : undefined), actions };
  }

  #cells(entry: Entry, href: string | undefined): string {
    const columns = this.#columns;
    let out = this.#lead === undefined ? "" : this.#lead(entry);
    const edit = this.#edit?.(entry);
    if (edit) this.#use("cells.js", EDIT_ICON);
    for (let at = 0; at < columns.length; at++) {
      const content = columns[at]!.cell(entry);
      const shown = at === 0 ? rowLink(content, href, columns[0]!.keepsLinks) : content;
      out += this.#starts[at]! + (edit === undefined ? shown : edit(columns[at]!, shown, at === 0));
    }
    return out;
  }

  #drawnActions(entry: Entry, policy: Policy, shown: boolean, { url, href }: { url: string; href: string }): string {
    const controller = this.#controller;
    let label: string | undefined;
    let out = this.#moves?.(entry) ?? "";
    if (out !== "") {
      this.hasActions = true;
      this.#use("order.js", ...ORDER_ICONS);
    }
    for (const drawn of this.#actions) {
      if (!isAllowed(policy, drawn.predicate) || !applies(controller, drawn.action, entry)) continue;
      this.hasActions = true;
      if (drawn.icon !== undefined) this.icons.add(drawn.icon);
      if (shown && drawn.isPlainShow) continue;
      label ??= escapeHtml(this.#labelOf ? this.#labelOf(entry) : entry.toLabel());
      out += drawn.fill({ url, href, label, back: this.#back }, controller);
    }
    return out;
  }
}

/** The whole table: as the component `table` draws it. */
export function listTable(
  controller: ResourceController,
  drawer: RowsDrawer,
  entries: readonly Entry[],
  headers: string,
  { caption, foot }: { caption: string; foot?: ((hasActions: boolean) => string) | undefined },
): string {
  const body = drawer.draw(entries);
  const { hasActions, icons } = drawer;
  const t = (key: string) => controller.t(key);
  const more = { isCompact: isCompact(controller), ...(foot ? { foot: foot(hasActions) } : {}) };
  return framed({ sheet: iconSheetFor(icons), caption, headers, body, hasActions, ...more, t });
}
