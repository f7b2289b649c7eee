import type { FieldSpec } from "../contract/index.ts";
import type {
  ChoiceOf,
  Choices,
  FieldType,
  FieldValue,
  GroupOptions,
  OptionsOf,
  Presence,
  RepeatedOptions,
  RequiredFlag,
  RequiredOptions,
  Simplify,
  StepFieldOptions,
  ValueOrNull,
} from "./types.ts";

const fieldTypes: readonly FieldType[] = [
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

type FieldMethod<F, W extends FieldType> = <
  N extends string,
  P extends Presence = undefined,
  R extends RequiredFlag = undefined,
>(
  name: N,
  options?: OptionsOf<W> & RequiredOptions<P, R>,
) => Fields<F & Record<N, FieldValue<W, P, R>>>;
type FieldMethods<F> = { readonly [W in FieldType]: FieldMethod<F, W> };

/** The fields of a step, in order: `f.string("name", { presence: true }).email("contact")`. */
export interface Fields<F = {}> extends FieldMethods<F> {}
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the methods of FieldMethods are defined on the prototype below
export class Fields<F = {}> {
  readonly specs: readonly FieldSpec[];

  constructor(specs: readonly FieldSpec[] = []) {
    this.specs = specs;
  }
  /** One of some values, from a list: `f.select("plan", ["free", "paid"])`. */
  select<N extends string, const C extends Choices, P extends Presence = undefined, R extends RequiredFlag = undefined>(
    name: N,
    choices: C,
    options?: StepFieldOptions<ChoiceOf<C>> & RequiredOptions<P, R>,
  ): Fields<F & Record<N, ValueOrNull<ChoiceOf<C>, P, R>>> {
    return this.with({ name, type: "select", options: { ...options, choices }, fields: [] });
  }
  /** As select, with all choices visible. */
  radio<N extends string, const C extends Choices, P extends Presence = undefined, R extends RequiredFlag = undefined>(
    name: N,
    choices: C,
    options?: StepFieldOptions<ChoiceOf<C>> & RequiredOptions<P, R>,
  ): Fields<F & Record<N, ValueOrNull<ChoiceOf<C>, P, R>>> {
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

for (const type of fieldTypes) {
  Object.defineProperty(Fields.prototype, type, {
    value(this: Fields, name: string, options = {}) {
      return this.with({ name, type, options, fields: [] });
    },
  });
}
