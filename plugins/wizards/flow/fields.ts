import type { BaseModel } from "framewright/plugins/database";
import { settleTexts } from "framewright/plugins/fields/rows";
import type { FieldSpec } from "../contract/index.ts";
import type {
  AnyFieldType,
  ChoiceOf,
  Choices,
  ChoicesOf,
  FieldType,
  FieldValue,
  GroupOptions,
  GroupValue,
  KeyOf,
  OptionsOf,
  Presence,
  RepeatedOptions,
  RequiredFlag,
  RequiredOptions,
  Simplify,
  StepFieldOptions,
  ValueOrNull,
} from "./types.ts";

/** The maximum of a repeated field that sets none. */
const DEFAULT_MAX_ENTRIES = 20;

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

type FieldMethod<F, D, W extends FieldType> = <
  N extends string,
  P extends Presence = undefined,
  R extends RequiredFlag = undefined,
  B extends boolean = never,
>(
  name: N,
  options?: OptionsOf<W, F, D> & RequiredOptions<P, R, F, D, B>,
) => Fields<F & Record<N, FieldValue<W, P, R, B>>, D>;
type FieldMethods<F, D> = { readonly [W in FieldType]: FieldMethod<F, D, W> };
/** `select` and `radio`. */
type ChoiceMethod<F, D> = <
  N extends string,
  const L extends Choices,
  P extends Presence = undefined,
  R extends RequiredFlag = undefined,
  B extends boolean = never,
>(
  name: N,
  choices: ChoicesOf<F, D, L>,
  options?: StepFieldOptions<ChoiceOf<L>, F, D> & RequiredOptions<P, R, F, D, B>,
) => Fields<F & Record<N, ValueOrNull<ChoiceOf<L>, P, R, B>>, D>;

/** The fields of a step, in order: `f.string("name", { presence: true }).email("contact")`. */
export interface Fields<F = {}, D = {}> extends FieldMethods<F, D> {
  /** One of some values, from a list or a function: `f.select("plan", ["free", "paid"])`. */
  readonly select: ChoiceMethod<F, D>;
  /** As select, with all choices visible. */
  readonly radio: ChoiceMethod<F, D>;
}
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the methods of FieldMethods are defined on the prototype below
export class Fields<F = {}, D = {}> {
  readonly specs: readonly FieldSpec[];

  constructor(specs: readonly FieldSpec[] = []) {
    this.specs = specs;
  }
  /** A field of any type, as one that a plugin adds: `f.field("tint", { as: "colour", presence: true })`. */
  field<
    N extends string,
    A extends AnyFieldType,
    P extends Presence = undefined,
    R extends RequiredFlag = undefined,
    B extends boolean = never,
  >(
    name: N,
    { as, ...options }: { as: A } & OptionsOf<A, F, D> & RequiredOptions<P, R, F, D, B>,
  ): Fields<F & Record<N, FieldValue<A, P, R, B>>, D> {
    return this.with({ name, type: as, options: options as FieldSpec["options"], fields: [] });
  }
  /** A record of a model that the person may choose, found as its own list is searched: `f.association("owner", User)`. */
  association<
    N extends string,
    M extends BaseModel,
    P extends Presence = undefined,
    R extends RequiredFlag = undefined,
    B extends boolean = never,
  >(
    name: N,
    target: { new (): M },
    options: StepFieldOptions<KeyOf<M>, F, D> & RequiredOptions<P, R, F, D, B> = {},
  ): Fields<F & Record<N, ValueOrNull<KeyOf<M>, P, R, B>>, D> {
    return this.with({
      name,
      type: "association",
      options: { ...options, target } as FieldSpec["options"],
      fields: [],
    });
  }
  /** Fields that belong together: an object of their values. */
  group<N extends string, G, B extends boolean = never>(
    name: N,
    options: GroupOptions<F, D, B>,
    fields: (group: Fields<{}, D>) => Fields<G, D>,
  ): Fields<F & Record<N, GroupValue<G, B>>, D> {
    return this.with({
      name,
      type: "group",
      options: options as FieldSpec["options"],
      fields: fields(new Fields()).specs,
    });
  }
  /** The same fields any number of times: a list of objects. */
  repeated<N extends string, G, B extends boolean = never>(
    name: N,
    options: RepeatedOptions<F, D, B>,
    fields: (entry: Fields<{}, D>) => Fields<G, D>,
  ): Fields<F & Record<N, Simplify<G>[]>, D> {
    const inner = fields(new Fields()).specs;
    const own = { maximum: DEFAULT_MAX_ENTRIES, ...options } as FieldSpec["options"];
    return this.with({ name, type: "repeated", options: own, fields: inner });
  }
  with<G>(spec: FieldSpec): Fields<G, D> {
    return new Fields<G, D>([...this.specs, { ...spec, options: settleTexts(spec.options) }]);
  }
}

for (const type of fieldTypes) {
  Object.defineProperty(Fields.prototype, type, {
    value(this: Fields, name: string, options = {}) {
      return this.with({ name, type, options, fields: [] });
    },
  });
}
for (const type of ["select", "radio"]) {
  Object.defineProperty(Fields.prototype, type, {
    value(this: Fields, name: string, choices: FieldSpec["options"]["choices"], options = {}) {
      return this.with({ name, type, options: { ...options, choices }, fields: [] } as FieldSpec);
    },
  });
}
