import type { Slot } from "framewright/kernel";
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
  { slot: "inline_editing", line: "inlineEditing()", found: columnWith("edit") },
  { slot: "summaries", line: "summaries()", found: columnWith("total") },
  {
    slot: "reorder",
    line: "reorder()",
    found: ({ definition: { reorderedBy } }) => reorderedBy && `this.reorder("${reorderedBy}")`,
  },
];

/** @throws FW_RESOURCE_PLUGIN where a resource declares what no plugin of the application acts on */
export function checkNeededPlugins(registration: Registration, has: (slot: Slot) => boolean): void {
  for (const { slot, line, found } of needs) {
    const declared = has(slot) ? undefined : found(registration);
    if (declared === undefined) continue;
    const { name } = registration.definition.constructor;
    throw errors.FW_RESOURCE_PLUGIN(name, declared, line, `framewright/plugins/${slot}`);
  }
}
