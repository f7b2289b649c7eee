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

/** A group with its heading. */
export const fieldset = ({ label, text }: FieldsetView, content: SafeHtml): SafeHtml =>
  html`<section class="fw-fieldset" aria-label="${label}"><header><h2>${label}</h2>${text !== undefined && html`<p>${text}</p>`}</header>${content}</section>`;
