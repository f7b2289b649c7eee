import type { BaseModel } from "framewright/plugins/database";
import type { FieldTypeName, FieldTypes, InputOptions, ValueRules } from "framewright/plugins/fields";
import type { RowFields, TextContext, WithTexts } from "framewright/plugins/fields/rows";

/** The input of one value of an interaction, and the rules of the value. */
export interface InteractionInput<M extends BaseModel = BaseModel>
  extends Omit<WithTexts<InputOptions<M>, TextContext<M>>, "as">,
    ValueRules {
  /** A type of fields; the value that `execute` gets is of this type, from a form and from JSON alike. "repeated" is a list of `fields`, "group" an object of them. */
  as: FieldTypeName | "repeated" | "group";
  fields?: RowFields;
  /** Of `as: "repeated"`: the fewest rows, and whether they are shown by their labels until they are opened. */
  minimum?: number;
  collapsed?: boolean;
  /** Of `as: "association"`: the model to choose from; by default that of the record's association of the input's name. */
  model?: { new (): BaseModel };
}

/** The inputs of an interaction, by name: `const attributes = { … } as const satisfies InteractionAttributes<Post>`. */
export type InteractionAttributes<M extends BaseModel = BaseModel> = Readonly<Record<string, InteractionInput<M>>>;

/** As `InteractionAttributes`, where TypeScript has widened the names of types to texts; they are checked at boot. */
export type AnyInteractionAttributes = Readonly<Record<string, Omit<InteractionInput, "as"> & { as: string }>>;

type Listed<C> = C extends { readonly value: infer V extends string } ? V : C extends string ? C : string;
type KeyOf<I> = I extends { model: new () => { id: infer K } } ? K : number | string;
type TypeOf<I> = I extends { as: "association" }
  ? KeyOf<I>
  : I extends { choices: readonly (infer C)[] }
    ? Listed<C>
    : I extends { as: infer A extends FieldTypeName }
      ? FieldTypes[A]
      : string;
type IsFilled<I> = I extends { condition: unknown }
  ? false
  : I extends { required: true } | { presence: true | object }
    ? true
    : false;
type ValuesOf<F> = { readonly [N in keyof F]: ValueOf<F[N]> };
type ValueOf<I> = I extends { as: "boolean" }
  ? boolean
  : I extends { as: "repeated"; fields: infer F }
    ? readonly ValuesOf<F>[]
    : I extends { as: "group"; fields: infer F }
      ? ValuesOf<F> | (I extends { condition: unknown } ? null : never)
      : TypeOf<I> | (IsFilled<I> extends true ? never : null);

/** The values of an interaction's inputs, written down `as const`: `Interaction<Post, InteractionValues<typeof attributes>>`. */
export type InteractionValues<A extends InteractionAttributes> = { readonly [N in keyof A]: ValueOf<A[N]> };
