import type { evalToken, Liquid, Template, Token, Value } from "liquidjs";

/** An operand as liquidjs evaluates it: a literal, a range, a variable with its properties. */
export type Operand = Parameters<typeof evalToken>[0];

/** What the tags of liquidjs hold once they are parsed; some of it is private by its types. */
export interface Shapes {
  assign: { key: string; value: Value };
  capture: { variable: string; templates: readonly Template[] };
  count: { variable: string };
  cycle: { candidates: readonly Token[]; group?: Operand };
  echo: { value?: Value };
  branches: { branches: readonly Branch[]; elseTemplates?: readonly Template[] };
  case: { value: Value; branches: readonly When[]; elseTemplates: readonly Template[] };
  loop: Loop & { hash: Named; elseTemplates: readonly Template[] };
  tablerow: Loop & { args: Named };
  render: Partial & { with?: Binding; forBinding?: Binding };
  include: Partial & { withVar?: Operand };
  layout: { file: unknown; currentFile?: string; args: Named; templates: readonly Template[] };
  block: { block: string; templates: readonly Template[] };
  liquid: { templates: readonly Template[] };
  raw: { tokens: readonly Token[] };
  filter: FilterShape;
}

export interface Branch {
  value: Value;
  templates: readonly Template[];
}
export interface When {
  values: readonly Operand[];
  templates: readonly Template[];
}
export interface Loop {
  variable: string;
  collection: Operand & Token;
  templates: readonly Template[];
}
export interface Named {
  hash: Readonly<Record<string, Operand>>;
}
export interface Partial {
  file: unknown;
  currentFile?: string;
  hash: Named;
}
export interface Binding {
  value: Operand & Token;
  alias?: string;
}
export type Handler = (this: unknown, ...args: unknown[]) => unknown;
export interface FilterShape {
  name: string;
  raw: boolean;
  args: readonly (Operand | [string, Operand])[];
  handler: Handler;
  token: unknown;
  liquid: Liquid;
}

/** A thing of liquidjs, seen with what it holds. */
export const seen = <K extends keyof Shapes>(thing: unknown, _kind: K): Shapes[K] => thing as Shapes[K];
