import type { Finding } from "framewright/host";
import type { ModelInfo } from "framewright/plugins/database";
import type { PersonalSource } from "./contract.ts";
import type { PlannedType } from "./plan.ts";

/** The finding of `fw doctor`: the models that may have personal data and do not declare it. */
export function examineDeclarations(
  models: readonly ModelInfo[],
  types: readonly PlannedType[],
  sources: readonly PersonalSource[],
): Finding {
  const accounts = new Set(types.map(({ model }) => model.table));
  const isSilent = (model: ModelInfo) =>
    model.parent === undefined &&
    (model.class as { personal?: unknown }).personal === undefined &&
    !sources.some((source) => source.covers?.(model));
  const refersTo = (model: ModelInfo) =>
    [...model.associations.values()].some(({ kind, target }) => kind === "belongsTo" && accounts.has(target.table)) ||
    [...model.polymorphic.values()].some(({ targets }) =>
      [...targets.values()].some(({ table }) => accounts.has(table)),
    );
  const silent = models
    .filter((model) => isSilent(model) && (accounts.has(model.table) || refersTo(model)))
    .map(({ constant }) => constant);
  if (silent.length === 0)
    return { what: "personal data", ok: true, detail: "every model that belongs to accounts declares its own" };
  const detail = `models that belong to accounts declare nothing: ${silent.join(", ")}. Give each "static personal": { of: "user", columns: { … } }, or false where its rows have no personal data.`;
  return { what: "personal data", ok: false, detail };
}
