import type { Kernel } from "framewright/kernel";
import type { ModelInfo } from "framewright/plugins/database";
import type { ResourceDefinition } from "framewright/plugins/resources";
import type { FieldTypes } from "./sample_values.ts";

/** The types that the inputs of any definition of a model declare. */
export function fieldTypesOf(kernel: Kernel, model: ModelInfo): FieldTypes {
  if (!kernel.has("resources")) return {};
  const definitions = kernel.service("resources").registry.all();
  const own = definitions.filter((one) => one.model === model);
  return Object.assign({}, ...own.map(({ definition }) => inputTypes(definition)));
}

/** The types that the inputs of a definition declare. */
export const inputTypes = ({ inputs }: Pick<ResourceDefinition, "inputs">): FieldTypes =>
  Object.fromEntries([...inputs].flatMap(([name, { as }]) => (typeof as === "string" ? [[name, as]] : [])));
