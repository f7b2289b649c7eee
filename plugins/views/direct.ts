import {
  AssignTag,
  type Context,
  evalToken,
  type Filter,
  IfTag,
  type isFalsy,
  isTruthy,
  type Liquid,
  LiquidError,
  Output,
  RenderError,
  RenderTag,
  type Template,
  TypeGuards,
  toValue,
  toValueSync,
  UnlessTag,
  type Value,
} from "liquidjs";

type Read = (context: Context) => unknown;
type Step = (context: Context, out: Out) => void;
type Token = Parameters<typeof evalToken>[0];

/** What templates write to. */
class Out {
  buffer = "";
  write(piece: unknown): void {
    this.buffer += typeof piece === "string" ? piece : textOf(piece);
  }
}
function textOf(piece: unknown): string {
  const value: unknown = toValue(piece);
  return Array.isArray(value) ? value.map(textOf).join("") : String(value ?? "");
}

/**
 * Renders what liquidjs parsed without its generators, several for each value of a page: parsed templates become
 * functions once. A tag that is not known here runs as liquidjs has it, so that nothing means anything else.
 */
export class DirectRender {
  readonly #liquid: Liquid;
  readonly #steps = new WeakMap<readonly Template[], readonly Step[]>();

  constructor(liquid: Liquid) {
    this.#liquid = liquid;
  }

  /** As liquidjs calls it, from its own tags too. */
  renderTemplates(templates: readonly Template[], context: Context, out = new Out()): string {
    this.#run(this.#stepsOf(templates), context, out);
    return out.buffer;
  }

  #run(steps: readonly Step[], context: Context, out: Out): void {
    for (const step of steps) {
      step(context, out);
      if (context.breakCalled || context.continueCalled) return;
    }
  }

  #stepsOf(templates: readonly Template[]): readonly Step[] {
    let steps = this.#steps.get(templates);
    if (!steps) {
      steps = templates.map((template) => located(template, this.#compile(template)));
      this.#steps.set(templates, steps);
    }
    return steps;
  }

  #compile(template: Template): Step {
    const text = (template as { str?: unknown }).str;
    if (typeof text === "string") return (_, out) => out.write(text);
    if (template instanceof Output) return output(template);
    if (template instanceof IfTag || template instanceof UnlessTag) return this.#branches(template);
    if (template instanceof AssignTag) return assign(template as unknown as Assigning);
    if (template instanceof RenderTag) return this.#partial(template as unknown as Rendering);
    return (context, out) => {
      const piece: unknown = toValueSync(template.render(context, out as never) as never);
      if (piece) out.write(piece);
    };
  }

  #branches(tag: IfTag | UnlessTag): Step {
    const branches = (tag.branches as readonly Branch[]).map(({ value, templates, test = isTruthy }) => ({
      read: readerOf(value),
      test,
      templates,
    }));
    return (context, out) => {
      const taken = branches.find(({ read, test }) => test(toValue(read(context)), context));
      this.#run(this.#stepsOf(taken?.templates ?? tag.elseTemplates ?? none), context, out);
    };
  }

  #partial(tag: Rendering): Step {
    if (typeof tag.file !== "string" || tag.with || tag.forBinding)
      return (context, out) => void toValueSync(tag.render(context, out) as never);
    const given = Object.entries(tag.hash.hash).map(
      ([name, token]) => [name, token ? tokenOf(token) : () => true] as const,
    );
    let templates: readonly Template[] | undefined;
    return (context, out) => {
      templates ??= toValueSync(
        this.#liquid._parsePartialFile(tag.file as string, true, tag.currentFile),
      ) as Template[];
      const inner = context.spawn();
      const scope = inner.bottom() as Record<string, unknown>;
      for (const [name, read] of given) scope[name] = read(context);
      this.#run(this.#stepsOf(templates), inner, out);
    };
  }
}

/** Drops may answer by a generator; most values are plain, and known to be at a glance. */
const settled = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? (toValueSync(value as never) as unknown) : value;

const none: readonly Template[] = [];
interface Branch {
  value: Value;
  templates: Template[];
  test?: typeof isFalsy;
}
interface Assigning {
  key: string;
  value: Value;
}
interface Rendering {
  file: unknown;
  currentFile?: string;
  with?: unknown;
  forBinding?: unknown;
  hash: { hash: Record<string, Token | undefined> };
  render(context: Context, out: Out): unknown;
}

/** An error says where in the templates it happened. */
function located(template: Template, step: Step): Step {
  return (context, out) => {
    try {
      step(context, out);
    } catch (error) {
      throw LiquidError.is(error) ? error : new RenderError(error as Error, template);
    }
  };
}

function output({ value }: Output): Step {
  const read = readerOf(value);
  return (context, out) => out.write(toValue(read(context)));
}

function assign({ key, value }: Assigning): Step {
  const read = readerOf(value);
  return (context) => {
    (context.bottom() as Record<string, unknown>)[key] = read(context);
  };
}

/** An expression and the filters behind it. */
function readerOf({ initial, filters }: Value): Read {
  const read =
    initial.postfix.length === 1
      ? tokenOf(initial.postfix[0]!)
      : (context: Context) => toValueSync(initial.evaluate(context, false) as never) as unknown;
  return filters.map(filterOf).reduce<Read>((before, apply) => (context) => apply(before(context), context), read);
}

function filterOf(filter: Filter): (value: unknown, context: Context) => unknown {
  const { token, liquid, handler, args } = filter as unknown as {
    token: unknown;
    liquid: Liquid;
    handler(...args: unknown[]): unknown;
    args: (Token | [string, Token])[];
  };
  const reads = args.map((arg): Read => (Array.isArray(arg) ? named(arg[0], tokenOf(arg[1])) : tokenOf(arg)));
  return (value, context) => {
    const given = reads.map((read) => read(context));
    return settled(handler.apply({ context, token, liquid }, [value, ...given]));
  };
}

const named =
  (name: string, read: Read): Read =>
  (context) => [name, read(context)];

/** A literal, or a variable with properties whose names are known; the rest is left to liquidjs. */
function tokenOf(token: Token): Read {
  if (token && "content" in token) {
    const { content } = token;
    return () => content;
  }
  if (TypeGuards.isPropertyAccessToken(token) && !token.variable && token.props.every((prop) => "content" in prop)) {
    return path(token.props.map((prop) => toValue((prop as { content: unknown }).content) as string));
  }
  return (context) => toValueSync(evalToken(token, context) as never);
}

/** Reads a variable and its properties. */
export function path(names: readonly string[]): Read {
  const first = names[0]!;
  return (context) => {
    let at: unknown = (context as unknown as { findScope(name: string): unknown }).findScope(first);
    for (const name of names) at = settled(context.readProperty(at as never, name));
    return at;
  };
}
