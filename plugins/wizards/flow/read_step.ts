import type { Params } from "framewright/host";
import { noScope, type ReadTreeOptions, readTree } from "framewright/plugins/fields/rows";
import type { FieldScope, StepReading, StepSpec, StepValues } from "../contract/index.ts";

/** Where nothing is known of the person who answers. */
export const nobody: FieldScope = { ...noScope, anchor: undefined, data: {} };

/** Reads the declared fields of a step from the parameters under `wizard`; `before` are its stored answers. */
export const readStep = (
  step: Pick<StepSpec, "fields">,
  params: Params,
  before?: StepValues,
  { translate, scope = nobody }: Pick<ReadTreeOptions, "translate" | "scope"> = {},
): StepReading => readTree(step.fields, params.toObject(), { before, scope, ...(translate ? { translate } : {}) });
