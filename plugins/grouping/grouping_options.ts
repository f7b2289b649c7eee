import { describe, suggest } from "framewright/kernel";
import type { AnyRecord, BaseModel, ModelInfo, ReadName } from "framewright/plugins/database";
import type { Registration, ResourceDefinition, ResourceRequest } from "framewright/plugins/resources";
import { ListReader } from "framewright/plugins/resources/toolkit";
import { errors } from "./errors.ts";

/** What the rows of a list are grouped by. */
export interface GroupingOptions<M extends AnyRecord = BaseModel> {
  /** Columns with choices, booleans and associations to one record; by default all of these that the list shows. */
  by?: readonly ReadName<M>[];
}

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** What the list is offered to be grouped by: `this.grouping({ by: ["status", "author"] })`; `false` for nothing. */
    grouping(options: GroupingOptions<M> | false): void;
  }
}

/** Module-level: found by a definition, and freed with it: the names that it declares. */
const namesByDefinition = new WeakMap<object, readonly string[]>();

/** The macro `grouping` of one definition. @throws FW_GROUPING_SHAPE */
export const groupingMacro =
  (definition: ResourceDefinition) =>
  (options: GroupingOptions | false): void => {
    const refuse = (what: string) => errors.FW_GROUPING_SHAPE(definition.constructor.name, what);
    if (options === false) return void namesByDefinition.set(definition, []);
    if (typeof options !== "object" || options === null) throw refuse(`is given ${describe(options)}`);
    const unknown = Object.keys(options).find((key) => key !== "by");
    if (unknown !== undefined) throw refuse(`has the option "${unknown}". There is: by`);
    if (options.by === undefined) return;
    if (!Array.isArray(options.by)) throw refuse("has a by that is no list of names");
    namesByDefinition.set(definition, options.by);
  };

/** @throws FW_GROUPING_NAME for a declared name that rows can't be grouped by */
export function checkGrouping(definition: ResourceDefinition, model: ModelInfo): void {
  if (!model.settled) return;
  const fit = [...model.columns.keys(), ...model.associations.keys()].filter((name) => isGroupable(model, name));
  for (const name of namesByDefinition.get(definition) ?? [])
    if (!fit.includes(name))
      throw errors.FW_GROUPING_NAME(definition.constructor.name, name, suggest(name, fit), fit.join(", "));
}

/** What the person may group a list by; `permitted`: the names of the list. */
export function groupNames(controller: ResourceRequest, permitted: readonly string[]): readonly string[] {
  const { registration } = controller;
  const { model, definition } = registration;
  const declared = namesByDefinition.get(definition) ?? columnsOf(registration);
  const reader = new ListReader(controller, registration);
  return declared.filter((name) => {
    if (!permitted.includes(name) || !isGroupable(model, name) || reader.hides(name)) return false;
    const target = model.associations.get(name)?.target;
    return target === undefined || !reader.isScoped(target); // groups of hidden records would reveal how many there are
  });
}

const columnsOf = ({ model }: Registration): readonly string[] => [
  ...model.columns.keys(),
  ...model.associations.keys(),
];

function isGroupable(model: ModelInfo, name: string): boolean {
  const association = model.associations.get(name);
  if (association) return association.kind === "belongsTo" && !association.key.isComposite;
  const column = model.columns.get(name);
  if (!column || model.encrypted.has(name)) return false;
  return column.type === "boolean" || valuesOf(model, name).length > 0;
}

/** The values that a column may have, in their order. */
export const valuesOf = (model: ModelInfo, name: string): readonly string[] =>
  model.choices[name] ?? model.columns.get(name)?.values ?? [];
