import { describe, suggest } from "framewright/kernel";
import type { AnyRecord, BaseModel, ModelInfo, ReadName } from "framewright/plugins/database";
import type { ResourceDefinition } from "framewright/plugins/resources";
import { errors } from "./errors.ts";

/** What a card shows of a record, of what the person may read. */
export interface CardOptions<M extends AnyRecord = BaseModel> {
  /** In the place of what people call the record. */
  title?: ReadName<M>;
  /** An image of the plugin `attachments`, by its thumbnail. */
  image?: string;
  /** By default the first columns of the list. */
  facts?: readonly ReadName<M>[];
}

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** The list is offered as cards beside its table: `this.cards({ image: "cover", facts: ["price", "city"] })`. */
    cards(options?: CardOptions<M>): void;
  }
}

/** Module-level: found by a definition, and freed with it: what its cards show. */
const cardsByDefinition = new WeakMap<object, CardOptions>();
export const cardsOf = (definition: object): CardOptions | undefined => cardsByDefinition.get(definition);

/** The macro `cards` of one definition. @throws FW_CARDS_SHAPE */
export const cardsMacro =
  (definition: ResourceDefinition) =>
  (options: CardOptions = {}): void => {
    checkShape(options, (what) => errors.FW_CARDS_SHAPE(definition.constructor.name, what));
    cardsByDefinition.set(definition, options);
  };

const known: readonly (keyof CardOptions)[] = ["title", "image", "facts"];

/** @throws what `refuse` makes of a sentence */
export function checkShape(options: CardOptions, refuse: (what: string) => Error): void {
  if (typeof options !== "object" || options === null) throw refuse(`is given ${describe(options)}`);
  const unknown = Object.keys(options).find((name) => !(known as readonly string[]).includes(name));
  if (unknown !== undefined) throw refuse(`has the option "${unknown}". There are: ${known.join(", ")}`);
  if (options.facts !== undefined && !Array.isArray(options.facts)) throw refuse("has facts that are no list of names");
}

/** @throws FW_CARD_NAME */
export function checkNames(
  { title, image, facts = [] }: CardOptions,
  { handlers }: ResourceDefinition,
  model: ModelInfo,
  where: string,
): void {
  const names = [
    ...model.columns.keys(),
    ...model.associations.keys(),
    ...Object.keys(model.money),
    ...handlers.keys(),
  ];
  const check = (option: string, name: string | undefined) => {
    if (name === undefined || !model.settled || names.includes(name) || name in model.class.prototype) return;
    throw errors.FW_CARD_NAME(where, option, name, suggest(name, names));
  };
  check("title", title);
  check("image", image);
  for (const fact of facts) check("a fact", fact);
}
