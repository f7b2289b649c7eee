import type { ParamObject } from "framewright/host";
import type { RunContent } from "framewright/plugins/background_runs";

/** By what runs that create records are known in their rows. */
export const CREATION = "bulk.create";

/** What such a run was started with. */
export interface CreationValues {
  readonly items: readonly ParamObject[];
  readonly continueOnError: boolean;
  /** The header of the request. */
  readonly prefer?: string | undefined;
}
export const valuesOf = ({ values }: RunContent): CreationValues => values as unknown as CreationValues;
