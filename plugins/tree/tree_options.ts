import { describe, suggest } from "framewright/kernel";
import type { AnyRecord, AssociationInfo, BaseModel, ModelInfo, ReadName } from "framewright/plugins/database";
import type { Registration, ResourceDefinition } from "framewright/plugins/resources";
import { errors } from "./errors.ts";

/** How a list is shown as a tree. */
export interface TreeOptions<M extends AnyRecord = BaseModel> {
  /** The association to the record above; by default the only one to a record of the same model. */
  parent?: ReadName<M>;
  /** What is shown behind the name of each record; by default the next three columns of the list. */
  facts?: readonly ReadName<M>[];
}

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** The list is offered as a tree beside its table: `this.tree({ parent: "parent" })`; `false` for none. */
    tree(options?: TreeOptions<M> | false): void;
  }
}

/** A tree, as its definition or its model has it. */
export interface Tree {
  readonly parent: AssociationInfo;
  /** The column with the key of the record above. */
  readonly column: string;
  readonly facts: readonly string[] | undefined;
}

/** Module-level: found by a definition, and freed with it: what it declares of its tree. */
const optionsByDefinition = new WeakMap<object, TreeOptions | false>();
const known: readonly (keyof TreeOptions)[] = ["parent", "facts"];

/** The macro `tree` of one definition. @throws FW_TREE_SHAPE */
export const treeMacro =
  (definition: ResourceDefinition) =>
  (options: TreeOptions | false = {}): void => {
    const refuse = (what: string) => errors.FW_TREE_SHAPE(definition.constructor.name, what);
    if (options !== false) {
      if (typeof options !== "object" || options === null) throw refuse(`is given ${describe(options)}`);
      const unknown = Object.keys(options).find((name) => !(known as readonly string[]).includes(name));
      if (unknown !== undefined) throw refuse(`has the option "${unknown}". There are: ${known.join(", ")}`);
      if (options.facts !== undefined && !Array.isArray(options.facts))
        throw refuse("has facts that are no list of names");
    }
    optionsByDefinition.set(definition, options);
  };

/** The tree of a definition; undefined where it has none. @throws FW_TREE_PARENT, FW_TREE_FACT for a declaration that the model does not fit */
export function settleTree(definition: ResourceDefinition, model: ModelInfo): Tree | undefined {
  const options = optionsByDefinition.get(definition);
  if (options === false || !model.settled) return undefined;
  const found = [...model.associations].filter(([, one]) => isParent(one, model)).map(([name]) => name);
  const { name } = definition.constructor;
  const parent = options?.parent ?? (found.length === 1 ? found[0] : undefined);
  if (options && (parent === undefined || !found.includes(parent)))
    throw errors.FW_TREE_PARENT(name, parent, found.join(", "));
  if (parent === undefined) return undefined;
  const names = [...model.columns.keys(), ...model.associations.keys(), ...definition.handlers.keys()];
  for (const fact of options?.facts ?? [])
    if (!names.includes(fact) && !(fact in model.class.prototype) && !(fact in model.money))
      throw errors.FW_TREE_FACT(name, fact, suggest(fact, names));
  const association = model.associations.get(parent)!;
  return { parent: association, column: association.key.column!, facts: options?.facts };
}

const isParent = ({ kind, target }: AssociationInfo, model: ModelInfo): boolean =>
  kind === "belongsTo" && target === model && !model.key.isMissing && !model.key.isComposite;

/** The tree of a resource; undefined where it has none. */
export const treeOf = (registration: Registration): Tree | undefined =>
  registration.once("tree", () => ({ found: settleTree(registration.definition, registration.model) })).found;
