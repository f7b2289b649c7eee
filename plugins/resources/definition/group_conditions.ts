import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import type { ActionContext } from "./actions.ts";
import type { ResourceDefinition } from "./definition.ts";

/** Gives the fields of each group its condition, beside their own; to be called once the definition is complete. */
export function addGroupConditions({ fieldsets, inputs, displays }: ResourceDefinition, model: ModelInfo): void {
  for (const { names, condition } of fieldsets) {
    if (!condition) continue;
    for (const name of names) {
      const [input, display] = [inputs.get(name), displays.get(name)];
      inputs.set(name, {
        ...input,
        condition: (context) => condition(context) && (input?.condition?.(context) ?? true),
      });
      displays.set(name, {
        ...display,
        condition: (context) =>
          condition({ ...context, values: valuesOf(context, model) }) && (display?.condition?.(context) ?? true),
      });
    }
  }
}

/** The values of a record as those of a form's fields: of what it belongs to the keys; null for those that are empty. */
const valuesOf = ({ record }: ActionContext, { associations }: ModelInfo): Record<string, unknown> =>
  new Proxy<Record<string, unknown>>({}, { get: (_, name) => fieldValue(record, String(name), associations) });

function fieldValue(record: BaseModel | undefined, name: string, associations: ModelInfo["associations"]): unknown {
  const association = associations.get(name);
  if (record && association?.kind === "belongsTo") return association.key.of(record) ?? null;
  return (record as unknown as Record<string, unknown> | undefined)?.[name] ?? null;
}
