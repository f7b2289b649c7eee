import type { AttributeHandler } from "framewright/plugins/resources/toolkit";

/** A form, or the body of a program's request, in which an attribute is sent. */
export type HandledForm = Parameters<NonNullable<AttributeHandler["read"]>>[0];
/** An attribute on a page with a form. */
export type HandledInput = Parameters<NonNullable<AttributeHandler["draw"]>>[0];
/** The input of an attribute, as it is drawn. */
export type HandledView = Awaited<ReturnType<NonNullable<AttributeHandler["draw"]>>>;
type Read = NonNullable<Awaited<ReturnType<NonNullable<AttributeHandler["read"]>>>>;
/** What was read of an attribute, to be written with its record. */
export type HandledWrite = Exclude<Read, { readonly errors: unknown }>;
