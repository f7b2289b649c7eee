import type { evalToken, Liquid, Template, Token, Value } from "liquidjs";

/** An operand as liquidjs evaluates it: a literal, a range, a variable with its properties. */
export type Operand = Parameters<typeof evalToken>[0];

/** The properties of parsed tags of liquidjs that the compiler reads; some are private in its types. */
export interface Shapes {
  assign: { key: string; value: Value };
  capture: { variable: string; templates: readonly Template[] };
  count: { variable: string };
  cycle: { candidates: readonly Token[]; group?: Operand };
  echo: { value?: Value };
  branches: { branches: readonly Branch[]; elseTemplates?: readonly Template[] };
  case: { value: Value; branches: readonly WhenBranch[]; elseTemplates: readonly Template[] };
  loop: LoopShape & { hash: NamedArguments; elseTemplates: readonly Template[] };
  tablerow: LoopShape & { args: NamedArguments };
  render: PartialShape & { with?: Binding; forBinding?: Binding };
  include: PartialShape & { withVar?: Operand };
  layout: { file: unknown; currentFile?: string; args: NamedArguments; templates: readonly Template[] };
  block: { block: string; templates: readonly Template[] };
  liquid: { templates: readonly Template[] };
  raw: { tokens: readonly Token[] };
  filter: FilterShape;
}

export interface Branch {
  value: Value;
  templates: readonly Template[];
}
export interface WhenBranch {
  values: readonly Operand[];
  templates: readonly Template[];
}
export interface LoopShape {
  variable: string;
  collection: Operand & Token;
  templates: readonly Template[];
}
export interface NamedArguments {
  hash: Readonly<Record<string, Operand>>;
}
export interface PartialShape {
  file: unknown;
  currentFile?: string;
  hash: NamedArguments;
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

/** A parsed node, typed with its private properties. */
export const shapeOf = <K extends keyof Shapes>(thing: unknown, _kind: K): Shapes[K] => thing as Shapes[K];
