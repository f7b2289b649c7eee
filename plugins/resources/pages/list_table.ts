import { escapeHtml } from "framewright/host";
import { framed, rowLink, startsOf } from "framewright/plugins/fields/toolkit";
import { isAllowed, type Policy } from "../definition/policy.ts";
import type { Entry } from "../entry/entry.ts";
import { hrefOf } from "../registration/urls.ts";
import type { ResourceRequest } from "../request.ts";
import { applies } from "./chrome.ts";
import type { CellWrapper, ListColumn, ListRows, RowNeeds, TableLook } from "./list_parts.ts";
import { iconSheetFor, type RowAction, rowActionsOf } from "./row_actions.ts";

/** What rows have beside their values and actions. */
export interface RowParts {
  lead?: ((entry: Entry) => string) | undefined;
  /** What plugins add. */
  parts?: Pick<ListRows, "wrappers" | "extras"> | undefined;
  /** The query by which the pages of rows know the list: `?_list=…`. */
  from?: string;
  /** The address that actions return to; by default they lead to the record or the list. */
  back?: string;
}

/** What is between cells and actions, and after cells alone. Neighbouring constants are one piece, because each piece of a page costs. */
const rowParts = {
  afterCell: ['</td><td class="fw-row-actions"', "</td></tr>"],
  alone: ['<td class="fw-row-actions"', "</tr>"],
} as const;

/** Draws the rows of a list, with the actions that the policy allows on each; the markup is that of the component `table`. */
export class RowsDrawer {
  readonly icons = new Set<string>();
  /** The scripts that what was drawn needs. */
  readonly scripts = new Set<string>();
  /** Whether a row has an action, drawn or not: then each has a place for them. */
  hasActions = false;
  /** Whether a row has usual actions, which the table has once. */
  #hasUsual = false;
  readonly #controller: ResourceRequest;
  readonly #columns: readonly ListColumn[];
  readonly #starts: ReturnType<typeof startsOf>;
  readonly #actions: readonly RowAction[];

  /** What each row begins with. */
  readonly #lead: ((entry: Entry) => string) | undefined;
  /** What plugins add; undefined for nothing. */
  readonly #parts: Pick<ListRows, "wrappers" | "extras"> | undefined;

  /** The query by which the pages of rows know the list; of an address that has one itself it is left out. */
  readonly #from: string;
  readonly #back: string | undefined;

  constructor(
    controller: ResourceRequest,
    columns: readonly ListColumn[],
    { lead, parts, from = "", back }: RowParts = {},
  ) {
    this.#parts = parts;
    this.#controller = controller;
    this.#lead = lead;
    this.#from = from;
    this.#columns = columns;
    this.#starts = startsOf(columns);
    this.#actions = rowActionsOf(controller, back !== undefined);
    this.#back = back === undefined ? undefined : encodeURIComponent(back);
  }

  #use({ scripts = [], icons = [] }: RowNeeds): void {
    for (const name of scripts) this.scripts.add(name);
    for (const name of icons) this.icons.add(name);
  }
  #wrapperOf(entry: Entry): ReturnType<CellWrapper> {
    let wrap: ReturnType<CellWrapper>;
    for (const { draw, needs } of this.#parts?.wrappers ?? []) {
      const outer = draw(entry);
      if (!outer) continue;
      this.#use(needs);
      const inner = wrap;
      wrap = inner ? (column, content, isFirst) => outer(column, inner(column, content, isFirst), isFirst) : outer;
    }
    return wrap;
  }
  #extrasOf(entry: Entry): string {
    let out = "";
    for (const { draw, needs } of this.#parts?.extras ?? []) {
      const drawn = draw(entry);
      if (drawn === "") continue;
      this.hasActions = true;
      this.#use(needs);
      out += drawn;
    }
    return out;
  }

  draw(entries: readonly Entry[]): string {
    const rows = entries.map((entry) => this.#row(entry));
    let body = "";
    const [actionsStart, end] = this.#columns.length > 0 ? rowParts.afterCell : rowParts.alone;
    for (const { cells, actions } of rows)
      body += this.hasActions ? `<tr>${cells}${actionsStart}${actions}</td></tr>` : `<tr>${cells}${end}`;
    return body;
  }

  /** What the table has once for all rows: the usual actions, in a template. */
  usual(): string {
    if (!this.#hasUsual) return "";
    const usual = this.#actions.filter(({ isUsual }) => isUsual);
    const drawn = usual.map((one) =>
      one.fill({ url: "{url}", href: "{url}", label: "{name}", back: this.#back }, this.#controller),
    );
    return `<template data-row-actions="${usual.map(({ action }) => action.key).join(" ")}">${drawn.join("")}</template>`;
  }

  #row(entry: Entry): { cells: string; actions: string } {
    const url = entry.url();
    const href = hrefOf(url);
    const policy = entry.policy();
    const shown = isAllowed(policy, "canShow");
    const hasQuery = href.includes("?");
    const [first] = this.#columns;
    const content = first?.cell(entry);
    const linked =
      first && rowLink(content!, shown ? (hasQuery ? href : href + this.#from) : undefined, first.keepsLinks);
    const fromTable = linked === content || hasQuery ? undefined : content;
    const actions = this.#drawnActions(entry, policy, { url, href, shown, fromTable });
    return { cells: this.#cells(entry, linked, linked !== content), actions };
  }

  /** `linked`: what is in the first cell. */
  #cells(entry: Entry, linked: string | undefined, isLinked: boolean): string {
    const columns = this.#columns;
    let out = this.#lead === undefined ? "" : this.#lead(entry);
    const wrap = this.#parts && this.#wrapperOf(entry);
    const starts = isLinked ? this.#starts.linked : this.#starts.labelled;
    for (let at = 0; at < columns.length; at++) {
      const shown = at === 0 ? linked! : columns[at]!.cell(entry);
      out += starts[at]! + (wrap === undefined ? shown : wrap(columns[at]!, shown, at === 0));
    }
    return out;
  }

  /** The rest of the start tag of the last cell, and what is in it. `fromTable`: the text of the link of the row, where the usual actions come from the table. */
  #drawnActions(
    entry: Entry,
    policy: Policy,
    { url, href, shown, fromTable }: { url: string; href: string; shown: boolean; fromTable: string | undefined },
  ): string {
    const controller = this.#controller;
    let label: string | undefined;
    let without = "";
    let isFilled = false;
    let out = this.#parts ? this.#extrasOf(entry) : "";
    for (const drawn of this.#actions) {
      const isUsual = drawn.isUsual && fromTable !== undefined;
      if (!isAllowed(policy, drawn.predicate) || !applies(controller, drawn.action, entry)) {
        if (isUsual) without += ` ${drawn.action.key}`;
        continue;
      }
      this.hasActions = true;
      if (shown && drawn.isPlainShow) continue;
      if (drawn.icon !== undefined) this.icons.add(drawn.icon);
      if (isUsual) {
        isFilled = true;
        continue;
      }
      label ??= this.#nameOf(entry);
      out += drawn.fill({ url, href, label, back: this.#back }, controller);
    }
    const drawn = out === "" ? "" : `<div>${out}</div>`;
    if (!isFilled) return ` data-full>${drawn}`;
    this.#hasUsual = true;
    if (without !== "") without = ` data-without="${without.slice(1)}"`;
    label ??= this.#nameOf(entry);
    return `${without}${label === fromTable ? "" : ` data-name="${label}"`}>${drawn}`;
  }
  #nameOf(entry: Entry): string {
    return escapeHtml(entry.toLabel());
  }
}

/** How plugins have a table drawn. */
export function tableLook(controller: ResourceRequest): TableLook {
  const look = { isCompact: false };
  controller.resources.hooks.table.call(look, controller);
  return look;
}

/** The whole table: as the component `table` draws it. */
export function listTable(
  controller: ResourceRequest,
  drawer: RowsDrawer,
  entries: readonly Entry[],
  headers: string,
  { caption, foot }: Pick<Parameters<typeof framed>[0], "caption" | "foot">,
): string {
  const body = drawer.draw(entries);
  const { hasActions, icons } = drawer;
  const t = (key: string) => controller.t(key);
  const sheet = iconSheetFor(icons) + drawer.usual();
  return framed({ sheet, caption, headers, body, hasActions, foot, ...tableLook(controller), t });
}
