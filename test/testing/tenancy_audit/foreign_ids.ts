import { demodulize, pluralize, singularize, underscore } from "framewright/host";
import type { ModelInfo } from "framewright/plugins/database";
import type { FormField } from "../client.ts";
import type { MarkedRecords } from "./records.ts";
import { idOf } from "./sample_values.ts";

type Whose = "a" | "b";
/** The most ids that are tried where a field's name tells no model. */
const MAX_GUESSES = 3;

/** The ids of the marked records, by the names that fields, inputs and parameters have for them. */
export class RecordIds {
  readonly #records: MarkedRecords;

  constructor(records: MarkedRecords) {
    this.#records = records;
  }

  /** The model that a name stands for: `post`, `post_id`, `post_ids`, `posts`, or an association's, as `author`. */
  modelOf(name: string): ModelInfo | undefined {
    const bare = name.replace(/_ids?$/, "");
    const { exclusive } = this.#records;
    const named = exclusive.find((model) => [nameOf(model), pluralize(nameOf(model))].includes(bare));
    if (named) return named;
    for (const model of this.#records.database.models())
      for (const one of model.associations.values())
        if (one.kind === "belongsTo" && [one.name, one.key.column].includes(name) && exclusive.includes(one.target))
          return one.target;
    return undefined;
  }

  /** The id of the tenant's record that a name stands for. */
  async named(name: string, whose: Whose): Promise<string | undefined> {
    const model = this.modelOf(lastName(name));
    const record = model && (await this.#records.get(model, whose));
    return record && String(idOf(record));
  }

  /** What a field may take for a record of the tenant: by its name; else, where it takes a number, each id that there is. */
  async forField(name: string, { type, options }: FormField, whose: Whose): Promise<string[]> {
    const id = await this.named(name, whose);
    const isList = /_?ids$/.test(lastName(name));
    if (id !== undefined) return isList ? [id, `[${id}]`] : [id];
    const isNumber = type === "number" || (options?.some((one) => /^\d+$/.test(one)) ?? false);
    if (!isList && !isNumber && !/^(id|record|.*_id)$/.test(lastName(name))) return [];
    return (await this.all(whose)).slice(0, MAX_GUESSES).flatMap((one) => (isList ? [one, `[${one}]`] : [one]));
  }

  /** The ids of all marked records of the tenant, each once; those with files first. */
  async all(whose: Whose): Promise<string[]> {
    const { exclusive, files } = this.#records;
    const ids = new Set<string>();
    for (const model of [...exclusive].sort((a, b) => Number(files.isIn(b)) - Number(files.isIn(a)))) {
      const record = await this.#records.get(model, whose);
      if (record && model !== this.#records.entity) ids.add(String(idOf(record)));
    }
    return [...ids];
  }

  /** An id for every name that a controller may read a record's by: `post_id`, `author_id`, and `id` of a model. */
  async byName(whose: Whose, model: ModelInfo | undefined): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const one of this.#records.exclusive) {
      const record = await this.#records.get(one, whose);
      if (record && one !== this.#records.entity) found[`${nameOf(one)}_id`] = String(idOf(record));
      if (record && one === (model ?? this.#records.exclusive.find((any) => any !== this.#records.entity)))
        found.id = String(idOf(record));
      for (const { kind, name, key } of one.associations.values()) {
        const named = key.column ?? name;
        const target = kind === "belongsTo" ? await this.named(named, whose) : undefined;
        if (target !== undefined && this.modelOf(named) !== this.#records.entity) found[named] = target;
      }
    }
    const [key] = this.#records.files.keys(whose);
    return key === undefined ? found : { ...found, key };
  }
}

/** `post` of `interaction[entries][0][post]`. */
const lastName = (name: string): string => /([\w-]+)\](?:\[\])?$/.exec(name)?.[1] ?? name;
const nameOf = ({ constant }: ModelInfo): string => singularize(underscore(demodulize(constant)));
