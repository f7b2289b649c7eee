import type { Entry, ListRequest } from "framewright/plugins/resources/toolkit";

/** What of a tree is shown. */
export interface Branch {
  /** The association to the record above. */
  readonly parent: string;
  /** The records above, from the top down, the one whose branch it is last; empty for the roots. */
  readonly path: readonly Entry[];
  /** Whether the first of these is at the top, and not below one that the person may not see. */
  readonly isWhole: boolean;
  /** How many records are below each, by key. */
  readonly below: ReadonlyMap<string, number>;
  /** Whether the list is narrowed by a search or filters: then what is found is shown without what is above it. */
  readonly isFlat: boolean;
}

/** The key of the branch that the address names: "5" of `tree.5`. */
export const branchOf = ({ shape = "" }: ListRequest): string | undefined => {
  const at = shape.indexOf(".");
  return at === -1 ? undefined : shape.slice(at + 1);
};
