import { html, type SafeHtml } from "framewright/host";
import type { FieldsetView } from "./types.ts";

/** Named things of a page: those that stand in no group, and the groups of which there is at least one. */
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

/** The groups one below the other; neighbours that are tabs stand together, which scripts make tabs of. */
export function drawGroups<T>(
  groups: Grouped<T>["groups"],
  draw: (members: readonly T[]) => SafeHtml,
): readonly SafeHtml[] {
  const drawn: SafeHtml[] = [];
  let tabs: SafeHtml[] = [];
  const end = () => {
    if (tabs.length > 0) drawn.push(html`<div class="fw-tabs" data-tabs>${tabs}</div>`);
    tabs = [];
  };
  for (const { set, members } of groups) {
    if (set.tab !== true) end();
    (set.tab === true ? tabs : drawn).push(fieldset(set, draw(members)));
  }
  end();
  return drawn;
}

/** A group with its heading. */
const fieldset = ({ label, text }: FieldsetView, content: SafeHtml): SafeHtml =>
  html`<section class="fw-fieldset" aria-label="${label}"><header><h2>${label}</h2>${text !== undefined && html`<p>${text}</p>`}</header>${content}</section>`;
