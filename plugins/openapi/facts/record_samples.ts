import type { BaseModel } from "framewright/plugins/database";
import type { Policy, Registration } from "framewright/plugins/resources";

/** How many records a policy is checked for at most. */
const MAX_RECORDS = 40;

/**
 * Records by which policies may distinguish them: an empty one, one of the person's own, and of each of these one in each
 * state. None of them is stored.
 */
export function recordSamples({ model }: Registration, { user }: Policy): BaseModel[] {
  const id = (user as { id?: unknown } | undefined)?.id ?? 1;
  const kept: Record<string, unknown> = {};
  for (const { kind, key } of model.associations.values())
    if (kind === "belongsTo" && key.column !== undefined) kept[key.column] = id;
  for (const { name, type } of model.columns.values()) if (type === "boolean") kept[name] = true;
  const create = (values: object): BaseModel => Object.assign(new model.class(), values);
  const samples = [create({}), create(kept)];
  for (const [name, values] of Object.entries(model.choices))
    for (const value of values) samples.push(create({ [name]: value }), create({ ...kept, [name]: value }));
  return samples.slice(0, MAX_RECORDS);
}
