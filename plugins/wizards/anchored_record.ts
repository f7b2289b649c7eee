import type { BaseModel } from "framewright/plugins/database";

type ModelOf<M extends BaseModel = BaseModel> = { new (): M };
declare const anchorType: unique symbol;
/** The record that a wizard is about: one that the URL names, or one that a method of the controller returns. */
export interface Anchored<A extends BaseModel = BaseModel> {
  readonly with?: readonly ModelOf[];
  /** A method or property of the controller. */
  readonly via?: string;
  /** Type level only: the type of `this.anchor`. */
  readonly [anchorType]?: A;
}
export type AnchorOf<H extends Anchored> = [H] extends [never] ? never : NonNullable<H[typeof anchorType]>;

/** `anchored({ with: Organization })`, `anchored({ with: [Organization, Shop] })`, `anchored<Organization>({ via: "currentScopedEntity" })` */
export function anchored<M extends BaseModel>(to: { with: ModelOf<M> }): Anchored<M>;
export function anchored<L extends readonly BaseModel[]>(to: {
  with: readonly [...{ [I in keyof L]: ModelOf<L[I]> }];
}): Anchored<L[number]>;
export function anchored<M extends BaseModel = BaseModel>(to: { via: string }): Anchored<M>;
export function anchored(to: { with?: ModelOf | readonly ModelOf[]; via?: string }): Anchored {
  return { ...to, ...(to.with ? { with: [to.with].flat() as readonly ModelOf[] } : {}) } as Anchored;
}
