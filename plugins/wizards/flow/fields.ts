import type { FieldSpec } from "../contract/index.ts";
import type {
  Asked,
  ChoiceOf,
  Choices,
  FieldValue,
  FieldWord,
  GroupOptions,
  Held,
  Need,
  OptionsOf,
  Presence,
  RepeatedOptions,
  Simplify,
  StepFieldOptions,
} from "./types.ts";

const words: readonly FieldWord[] = [
  "string",
  "text",
  "markdown",
  "email",
  "url",
  "tel",
  "color",
  "password",
  "hidden",
  "uuid",
  "json",
  "integer",
  "bigint",
  "float",
  "decimal",
  "money",
  "boolean",
  "date",
  "time",
  "datetime",
  "file",
];

type Word<F, W extends FieldWord> = <N extends string, P extends Presence = undefined, R extends Need = undefined>(
  name: N,
  options?: OptionsOf<W> & Asked<P, R>,
) => Fields<F & Record<N, FieldValue<W, P, R>>>;
type FieldWords<F> = { readonly [W in FieldWord]: Word<F, W> };

/** The fields of a step, said one after the other: `f.string("name", { presence: true }).email("contact")`. */
export interface Fields<F = {}> extends FieldWords<F> {}
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the words of FieldWords are put on the prototype below
export class Fields<F = {}> {
  readonly specs: readonly FieldSpec[];

  constructor(specs: readonly FieldSpec[] = []) {
    this.specs = specs;
  }
  /** One of some values, from a list: `f.select("plan", ["free", "paid"])`. */
  select<N extends string, const C extends Choices, P extends Presence = undefined, R extends Need = undefined>(
    name: N,
    choices: C,
    options?: StepFieldOptions<ChoiceOf<C>> & Asked<P, R>,
  ): Fields<F & Record<N, Held<ChoiceOf<C>, P, R>>> {
    return this.with({ name, type: "select", options: { ...options, choices }, fields: [] });
  }
  /** As select, all choices in sight. */
  radio<N extends string, const C extends Choices, P extends Presence = undefined, R extends Need = undefined>(
    name: N,
    choices: C,
    options?: StepFieldOptions<ChoiceOf<C>> & Asked<P, R>,
  ): Fields<F & Record<N, Held<ChoiceOf<C>, P, R>>> {
    return this.with({ name, type: "radio", options: { ...options, choices }, fields: [] });
  }
  /** Fields that belong together: an object of their values. */
  group<N extends string, G>(
    name: N,
    options: GroupOptions,
    fields: (group: Fields) => Fields<G>,
  ): Fields<F & Record<N, Simplify<G>>> {
    return this.with({ name, type: "group", options, fields: fields(new Fields()).specs });
  }
  /** The same fields any number of times: a list of objects. */
  repeated<N extends string, G>(
    name: N,
    options: RepeatedOptions,
    fields: (entry: Fields) => Fields<G>,
  ): Fields<F & Record<N, Simplify<G>[]>> {
    return this.with({ name, type: "repeated", options, fields: fields(new Fields()).specs });
  }
  with<G>(spec: FieldSpec): Fields<G> {
    return new Fields<G>([...this.specs, spec]);
  }
}

for (const type of words) {
  Object.defineProperty(Fields.prototype, type, {
    value(this: Fields, name: string, options = {}) {
      return this.with({ name, type, options, fields: [] });
    },
  });
}
