import type { QueryBuilder, Transaction } from "objection";
import type { BaseModel } from "./model.ts";

/**
 * The tables of the application, filled by `db/types.d.ts`, which `fw types` writes:
 * `declare module "framewright/plugins/database" { interface Tables { posts: { columns: {…}; associations: {…}; money: {…} } } }`
 */
export interface Tables {}

interface Table {
  columns: object;
  associations: object;
  money: object;
}
type Known = keyof Tables & string;
/** A known table, or any text as long as its types are not written. */
export type TableName = Known | (string & {});

type Part<T, P extends keyof Table> = T extends Known ? (Tables[T] extends Record<P, infer Found> ? Found : {}) : {};

/** In `db/types.d.ts`: the association leads to one record, or to many, of that table. */
export interface One<T extends string> {
  table: T;
  many: false;
}
/** The type of an association to many records, in the file that `fw types` writes. */
export interface Many<T extends string> {
  table: T;
  many: true;
}
type Loaded<A> =
  A extends Many<infer T> ? (BaseModel & Row<T>)[] : A extends One<infer T> ? (BaseModel & Row<T>) | null : never;

/** What a record of the table has: columns, money, and the associations that were loaded. */
export type Row<T extends string> = T extends Known
  ? Part<T, "columns"> &
      Part<T, "money"> & { [A in keyof Part<T, "associations">]?: Loaded<Part<T, "associations">[A]> }
  : Record<string, unknown>;

declare const ofTable: unique symbol;
/** Carries a model's table in its type; there is nothing of it at run time. */
export interface OfTable<T extends string> {
  readonly [ofTable]?: T;
}
type TableOf<M> = M extends { readonly [ofTable]?: infer T extends string } ? T : string;

type AttributeOf<T> = T extends Known
  ? keyof Part<T, "columns"> | keyof Part<T, "associations"> | keyof Part<T, "money">
  : string;

declare const ofPlugin: unique symbol;
/**
 * The type of an attribute that a plugin serves without a column: a model declares it, so that policies may name it:
 * `declare photos: Files`. There is nothing of it at run time.
 */
export interface HandledValue {
  readonly [ofPlugin]: true;
}
type HandledName<M> = {
  [N in Exclude<keyof M, keyof BaseModel> & string]: M[N] extends HandledValue ? N : never;
}[Exclude<keyof M, keyof BaseModel> & string];

/** A name of a model's column, association or money, or of an attribute that a plugin serves. */
export type AttributeName<M> = (AttributeOf<TableOf<M>> & string) | HandledName<M>;
/** What a model's class adds to its table: the getters of its own. */
type ComputedName<M> = {
  [N in Exclude<keyof M, keyof BaseModel> & string]: M[N] extends (...args: never[]) => unknown ? never : N;
}[Exclude<keyof M, keyof BaseModel> & string];
/** A name that can be read and shown: an attribute, or a getter of the model. */
export type ReadName<M> = AttributeName<M> | ComputedName<M>;
/** A list of them. */
export type ReadAttributes<M> = readonly ReadName<M>[];
/** A list of attributes: a misspelling does not compile. */
export type Attributes<M> = readonly AttributeName<M>[];
/** A list of a model's associations. */
export type Associations<M> = readonly ((TableOf<M> extends Known ? keyof Part<TableOf<M>, "associations"> : string) &
  string)[];

export type { Transaction };
/**
 * What every record has, as the bound of a generic type: the compiler compares it with a model at once, and all of `BaseModel`
 * with its queries takes it a hundred times as many steps.
 */
export type AnyRecord = Pick<BaseModel, "$id">;
/** A query of a model: what `database.query(Post)` gives. */
export type Query<M extends BaseModel = BaseModel> = QueryBuilder<M>;
/** The query of a model that is bounded by `AnyRecord`. */
export type QueryOf<M extends AnyRecord> = M extends BaseModel ? Query<M> : Query;
