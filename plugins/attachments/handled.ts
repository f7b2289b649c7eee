import type { AttributeHandler } from "framewright/plugins/resources/toolkit";

type Handler = Required<AttributeHandler>;

export type Attribute = Parameters<Handler["load"]>[2];
export type HandledForm = Parameters<Handler["read"]>[0];
export type HandledInput = Parameters<Handler["draw"]>[0];
export type HandledView = Awaited<ReturnType<Handler["draw"]>>;
export type HandledRead = Awaited<ReturnType<Handler["read"]>>;
export type HandledWrite = Exclude<HandledRead, { readonly errors: unknown } | undefined>;
