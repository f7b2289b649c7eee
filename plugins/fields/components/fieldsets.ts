import { html, raw, type SafeHtml } from "framewright/host";
import { attributes } from "./attributes.ts";
import type { FieldsetView, FieldView, Translate } from "./types.ts";

/** Named things of a page: those in no group, and the groups of which there is at least one. */
export interface Grouped<T> {
  readonly others: readonly T[];
  readonly groups: readonly { readonly set: FieldsetView; readonly members: readonly T[] }[];
}

export function groupedBy<T extends { name: string }>(
  all: readonly T[],
  sets: readonly FieldsetView[] = [],
): Grouped<T> {
  if (sets.length === 0) return { others: all, groups: [] };
  const byName = new Map(all.map((one) => [one.name, one]));
  const grouped = new Set(sets.flatMap(({ names }) => names));
  const groups = sets.map((set) => ({ set, members: set.names.flatMap((name) => byName.get(name) ?? []) }));
  return {
    others: all.filter(({ name }) => !grouped.has(name)),
    groups: groups.filter(({ members }) => members.length > 0),
  };
}

/** What is drawn of a group's members, and whether something is wrong with one of them. */
interface Drawing<T> {
  draw(members: readonly T[]): SafeHtml;
  isWrong?(member: T): boolean;
}

/** The groups one below the other; neighbours that are tabs are together, which scripts turn into tabs. */
export function drawGroups<T>(
  groups: Grouped<T>["groups"],
  { draw, isWrong = () => false }: Drawing<T>,
): readonly SafeHtml[] {
  const drawn: SafeHtml[] = [];
  let tabs: SafeHtml[] = [];
  const end = () => {
    if (tabs.length > 0) drawn.push(html`<div class="fw-tabs" data-tabs>${tabs}</div>`);
    tabs = [];
  };
  for (const { set, members } of groups) {
    if (set.tab !== true) end();
    (set.tab === true ? tabs : drawn).push(fieldset(set, draw(members), members.some(isWrong)));
  }
  end();
  return drawn;
}

/** The fields of a form that come first, and those under "More fields", drawn: none where there would be nothing before them. */
export function foldSecondary<T>(
  all: readonly T[],
  viewOf: (one: T) => FieldView | undefined,
  { draw, t, isWrong }: { draw(some: readonly T[]): SafeHtml; t: Translate; isWrong(view: FieldView): boolean },
): readonly [first: readonly T[], more: SafeHtml | undefined] {
  const isSecondary = (one: T) => {
    const view = viewOf(one);
    return view?.secondary !== undefined && !view.required;
  };
  const more = all.filter(isSecondary);
  if (more.length === 0) return [all, undefined];
  const isOpen = more.some((one) => viewOf(one)!.secondary === "open" || isWrong(viewOf(one)!));
  const set = { label: t("form.more"), names: [], collapsed: !isOpen };
  return [all.filter((one) => !isSecondary(one)), fieldset(set, draw(more), false)];
}

/** A group with its heading; one that folds is open where something is wrong in it. */
function fieldset({ label, text, collapsed, columns }: FieldsetView, content: SafeHtml, isWrong: boolean): SafeHtml {
  const style = columns === undefined ? "fw-fieldset" : `fw-fieldset fw-columns-${columns}`;
  const note = text === undefined ? raw("") : html`<p>${text}</p>`;
  if (collapsed === undefined)
    return html`<section class="${style}" aria-label="${label}"><header><h2>${label}</h2>${note}</header>${content}</section>`;
  const open = raw(attributes({ open: !collapsed || isWrong }));
  return html`<details class="${style} fw-folding"${open}><summary><h2>${label}</h2></summary>${text !== undefined && html`<header>${note}</header>`}${content}</details>`;
}
