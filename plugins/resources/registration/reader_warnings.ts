import { isAdded } from "../definition/added_parts.ts";
import type { PolicyClass } from "../definition/policy.ts";
import { hasStandardLabel, labelReads } from "../entry/label_reads.ts";
import { withoutPermitted } from "../entry/labels.ts";
import { type HiddenColumns, hiddenFromAll } from "../operations/hidden_columns.ts";
import type { ListReader } from "../operations/list_context.ts";
import type { NamedColumns } from "./read_columns.ts";
import { mayFilter, mayScope, maySort } from "./readable_blocks.ts";
import { ownerLabel, type Registration } from "./registration.ts";

/** What is logged at boot of what a definition reads and the policy of its portal hides; one sentence each. */
export function readerWarnings(registration: Registration): string[] {
  const { definition, policyClass, owner } = registration;
  const hidden = hiddenFromAll(registration);
  if (!hidden || hidden.size === 0) return [];
  const name = definition.constructor.name;
  const columns = [...hidden].sort().join(", ");
  const there = `${policyClass.name} of ${ownerLabel(owner)} hides ${columns}`;
  const warnings: string[] = [];
  if (definition.searcher && !definition.searchReads)
    warnings.push(
      `${name} has a search with a query of its own that does not declare what it reads, and ${there}: it runs only for people who may read all columns. Declare what it reads: this.search((query, term) => …, { reads: ["name"] }), or name the columns to look in: this.search(["name"]).`,
    );
  const unread = unreadBlocks(registration, hidden);
  if (unread.length > 0)
    warnings.push(
      `${name} has ${unread.join(", ")} by columns that ${there.replace(` hides ${columns}`, " hides")}: not offered there. Permit the columns in its lists, or, where the query shows nothing of them, declare what it reads: { reads: [] }.`,
    );
  const unlabelled = hiddenInLabel(registration, hidden);
  if (unlabelled.length > 0)
    warnings.push(
      `The label of ${registration.constant} is made of ${unlabelled.join(", ")}, which ${policyClass.name} of ${ownerLabel(owner)} hides: its records are called "${registration.labels.one} 12" there. Permit it in labels alone: permittedAttributesForLabel() { return [${unlabelled.map((column) => `"${column}"`).join(", ")}]; }.`,
    );
  return warnings;
}

/** The columns that labels of a resource are built from and that the policy of its portal hides from everybody. */
export function hiddenInLabel(
  registration: Registration,
  hidden: HiddenColumns | undefined = hiddenFromAll(registration),
): string[] {
  const { model, policyClass } = registration;
  const { reads } = labelReads(model);
  if (!reads || !hidden || hidden.size === 0) return [];
  const hiding = [...reads.own].filter((column) => hidden.has(column));
  const isLess = !hasStandardLabel(model) || hiding.length === reads.own.size; // else the label is another column's
  if (!isLess || hiding.length === 0) return [];
  return [...withoutPermitted(new Set(hiding), permittedInLabels(policyClass))].sort();
}

function permittedInLabels(policyClass: PolicyClass): readonly string[] {
  try {
    const names = new policyClass({
      user: undefined,
      record: undefined,
      entityScope: undefined,
      parent: undefined,
    }).permittedAttributesForLabel();
    return Array.isArray(names) ? names : [];
  } catch {
    return [];
  }
}

/**
 * Filters, scopes and sorts that do not declare what they read, and name hidden columns. Those of a plugin, as the tabs of
 * states, are not the application's to change.
 */
function unreadBlocks(registration: Registration, hidden: HiddenColumns): string[] {
  const { definition } = registration;
  const { filters, scopes, sorts } = definition;
  const reader = readerOf(hidden, registration);
  const isOpen = ({ reads }: { reads?: readonly string[] }) => reads === undefined;
  return [
    ...[...filters].flatMap(([name, one]) =>
      one.apply && isOpen(one) && !isAdded(definition, "filter", name) && !mayFilter(registration, name, one, reader)
        ? [`the filter "${name}"`]
        : [],
    ),
    ...[...scopes].flatMap(([name, one]) =>
      isOpen(one) && !isAdded(definition, "scope", name) && !mayScope(registration, name, reader)
        ? [`the scope "${name}"`]
        : [],
    ),
    ...[...sorts].flatMap(([name, one]) =>
      isOpen(one) && !maySort(registration, name, reader) ? [`the sort "${name}"`] : [],
    ),
  ];
}

/** Nobody, from whom these columns are hidden. */
const readerOf = (hidden: HiddenColumns, { model: { mark } }: Registration): ListReader =>
  ({
    hidden,
    mayRead: ({ own }: NamedColumns) => !own.some((column) => hidden.has(column) && column !== mark?.column),
  }) as ListReader;
