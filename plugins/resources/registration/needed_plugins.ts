import type { Slot } from "framewright/kernel";
import { Policy } from "../definition/policy.ts";
import { errors } from "../errors.ts";
import type { Registration } from "./registration.ts";

interface Need {
  readonly slot: Slot;
  /** The line of `plugins.config.ts`. */
  readonly line: string;
  /** What of a resource needs it, as it is written; undefined for nothing. */
  found(registration: Registration): string | undefined;
}

const columnWith =
  (key: "edit" | "total") =>
  ({ definition }: Registration) => {
    const found = [...definition.columns].find(([, options]) => options[key] !== undefined && options[key] !== false);
    return found && `this.column("${found[0]}", { ${key}: ${JSON.stringify(found[1][key])} })`;
  };

/** What resources declare and plugins of their own act on. */
const needs: readonly Need[] = [
  {
    slot: "bulk_actions",
    line: "bulkActions()",
    found: ({ definition: { actions } }) => {
      const found = [...actions.values()].find(({ bulk }) => bulk);
      return found && `this.action("${found.key}", { bulk: true })`;
    },
  },
  { slot: "inline_editing", line: "inlineEditing()", found: columnWith("edit") },
  { slot: "summaries", line: "summaries()", found: columnWith("total") },
  {
    slot: "reorder",
    line: "reorder()",
    found: ({ definition: { reorderedBy } }) => reorderedBy && `this.reorder("${reorderedBy}")`,
  },
];

/** Predicates of policies that plugins of their own call. */
const predicates: readonly (Omit<Need, "found"> & {
  readonly predicate: "canExport" | "canImport" | "canShareViews";
})[] = [
  { slot: "exports", line: "exports()", predicate: "canExport" },
  { slot: "imports", line: "imports()", predicate: "canImport" },
  { slot: "saved_views", line: "savedViews()", predicate: "canShareViews" },
];

type HasSlot = (slot: Slot) => boolean;

/** A sentence for each predicate of a resource's policy that no plugin of the application calls. */
export const uncalledPredicates = ({ policyClass }: Registration, has: HasSlot): string[] =>
  predicates
    .filter(({ slot, predicate }) => !has(slot) && policyClass.prototype[predicate] !== Policy.prototype[predicate])
    .map(
      ({ slot, line, predicate }) =>
        `${policyClass.name} has ${predicate}(), and no plugin calls it. Add ${line} to plugins.config.ts, imported from "framewright/plugins/${slot}".`,
    );

/** @throws FW_RESOURCE_PLUGIN, FW_BACKGROUND_JOBS where a resource declares what no plugin of the application acts on */
export function checkNeededPlugins(registration: Registration, has: HasSlot): void {
  const { actions } = registration.definition;
  const left = [...actions.values()].find(({ interaction }) => interaction?.inBackground === true);
  if (left && !has("background_runs" as Slot)) throw errors.FW_BACKGROUND_JOBS(left.interaction!.name);
  for (const { slot, line, found } of needs) {
    const declared = has(slot) ? undefined : found(registration);
    if (declared === undefined) continue;
    const { name } = registration.definition.constructor;
    throw errors.FW_RESOURCE_PLUGIN(name, declared, line, `framewright/plugins/${slot}`);
  }
}
