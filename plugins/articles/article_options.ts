import { describe, suggest } from "framewright/kernel";
import type { AnyRecord, BaseModel, ModelInfo, ReadName } from "framewright/plugins/database";
import type { ResourceDefinition } from "framewright/plugins/resources";
import { errors } from "./errors.ts";

/** What of a record is an article's, by the names of its attributes. */
export interface ArticleOptions<M extends AnyRecord = BaseModel> {
  /** Its text; by default the column `body`, `text`, `content` or `description`. */
  body?: ReadName<M>;
  /** A sentence or two, in lists and in the descriptions of its page; by default how the body begins. */
  summary?: ReadName<M>;
  /** An image of the plugin `attachments`. */
  image?: string;
  /** Who wrote it, a column or an association; by default the association `author`. */
  author?: ReadName<M>;
  /** When it was published; by default `published_at`, `published_on` or `created_at`. */
  date?: ReadName<M>;
}
/** The names of an article's parts, with those that follow from the model. */
export type ArticleNames = { readonly [Part in keyof ArticleOptions]?: string | undefined };

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** The list and the pages of records are to be read, as a site has articles: `this.article({ summary: "teaser", image: "cover" })`. */
    article(options?: ArticleOptions<M>): void;
  }
}

const parts: readonly (keyof ArticleOptions)[] = ["body", "summary", "image", "author", "date"];
const conventions: ArticleOptions<never> | Record<string, readonly string[]> = {
  body: ["body", "text", "content", "description"],
  author: ["author"],
  date: ["published_at", "published_on", "created_at"],
};

/** Module-level: found by a definition, and freed with it. */
const optionsByDefinition = new WeakMap<object, ArticleOptions>();
/** Module-level: as the options. */
const namesByDefinition = new WeakMap<object, ArticleNames>();

/** The parts of the articles of a definition; undefined where it declares none. */
export const articleOf = (definition: object): ArticleNames | undefined => namesByDefinition.get(definition);

/** The macro `article` of one definition. @throws FW_ARTICLE_SHAPE */
export const articleMacro =
  (definition: ResourceDefinition) =>
  (options: ArticleOptions = {}): void => {
    const { name } = definition.constructor;
    if (typeof options !== "object" || options === null)
      throw errors.FW_ARTICLE_SHAPE(name, `is given ${describe(options)}`);
    const unknown = Object.keys(options).find((key) => !(parts as readonly string[]).includes(key));
    if (unknown !== undefined)
      throw errors.FW_ARTICLE_SHAPE(name, `has the option "${unknown}". There are: ${parts.join(", ")}`);
    optionsByDefinition.set(definition, options);
  };

/** Settles what a definition declares against its model. @throws FW_ARTICLE_NAME, FW_ARTICLE_BODY */
export function settleArticle(definition: ResourceDefinition, model: ModelInfo): void {
  const options = optionsByDefinition.get(definition);
  if (!options) return;
  const { name } = definition.constructor;
  const names = [...model.columns.keys(), ...model.associations.keys(), ...definition.handlers.keys()];
  const isThere = (one: string) => names.includes(one) || one in model.class.prototype;
  const found = parts.map((part) => {
    const given: string | undefined = options[part];
    if (given === undefined) return [part, (conventions as Record<string, string[]>)[part]?.find(isThere)];
    if (model.settled && !isThere(given)) throw errors.FW_ARTICLE_NAME(name, part, given, suggest(given, names));
    return [part, given];
  });
  const settled: ArticleNames = Object.fromEntries(found);
  if (model.settled && settled.body === undefined) throw errors.FW_ARTICLE_BODY(name);
  namesByDefinition.set(definition, settled);
}
