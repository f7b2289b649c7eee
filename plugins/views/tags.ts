import { SafeHtml } from "framewright/host";
import {
  type Context,
  type Emitter,
  type Liquid,
  Tag as LiquidTag,
  type Parser,
  tags as standard,
  type TagToken,
  type Template,
  type TopLevelToken,
  TypeGuards,
  toValueSync,
} from "liquidjs";
import { escaped } from "./compiler/runtime.ts";
import { errors } from "./errors.ts";
import { evaluateArguments, readArguments, type TagArguments, withoutDrops } from "./tag_arguments.ts";

/** What a tag prints: escaped, except SafeHtml; lists joined, and nothing for undefined, null and false. */
export type TagOutput = SafeHtml | string | number | bigint | false | null | undefined | readonly TagOutput[];

/** One use of a tag in a page. */
export interface TagUse {
  /** The arguments without a name, in their order: `{% money_bar total, 100 %}`. A record is the record itself. */
  readonly values: readonly unknown[];
  /** The arguments with a name: `max: 100`. */
  readonly named: Readonly<Record<string, unknown>>;
  /** The content between `{% name %}` and `{% endname %}`, rendered; undefined of a tag that is no block. */
  readonly content: SafeHtml | undefined;
  /** A variable of the template or the page: `read("request", "locale")`. */
  read(...path: string[]): unknown;
}

/**
 * A tag of templates.
 * @example views.addTag("money_bar", { render: ({ values: [amount], named: { max } }) => html`<meter max="${max}" value="${amount}"></meter>` })
 */
export interface Tag {
  /** Whether it has content: `{% name %}…{% endname %}`. */
  readonly block?: boolean;
  /** Templates are rendered at once: load before what it shows. */
  render(use: TagUse): TagOutput;
}

const parts = new Set(["else", "elsif", "when"]);

/** @throws FW_TAG_NAME for a name that templates can't use, or that is a tag of liquidjs */
export function checkTagName(name: string): void {
  const refuse = (why: string) => errors.FW_TAG_NAME(String(name), why);
  if (typeof name !== "string" || !/^[a-z][a-z0-9_]*$/.test(name))
    throw refuse("has other signs than small letters, digits and _, or does not begin with a letter");
  if (name.startsWith("end") || parts.has(name)) throw refuse("is what ends or divides another tag");
  if (Object.hasOwn(standard, name)) throw refuse("is a tag of liquidjs, which templates rely on");
}

/** The class of a tag for liquidjs. The compiler knows no such class, so that liquidjs interprets the templates that use it. */
export function liquidTag(name: string, { block = false, render }: Tag): Liquid["tags"][string] {
  return class extends LiquidTag {
    readonly #arguments: TagArguments;
    readonly #content: Template[] | undefined;

    constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
      super(token, rest, liquid);
      this.#arguments = readArguments(this.tokenizer);
      this.#content = block ? contentOf(token, rest, parser) : undefined;
    }

    override render(context: Context, emitter: Emitter): void {
      const content = this.#content && this.liquid.renderer.renderTemplates(this.#content, context);
      const output: unknown = render({
        ...evaluateArguments(this.#arguments, context),
        content: content && new SafeHtml(String(toValueSync(content as never))),
        read: (...path) => withoutDrops(context.getSync(path)),
      });
      if (output instanceof Promise) {
        output.catch(() => undefined); // refused here by name; must not end the process as unhandled as well
        throw errors.FW_TAG_PROMISE(name);
      }
      emitter.write(escaped(output));
    }
  };
}

/** The templates up to the end of a block. */
function contentOf(token: TagToken, rest: TopLevelToken[], parser: Parser): Template[] {
  const templates: Template[] = [];
  for (let next = rest.shift(); next; next = rest.shift()) {
    if (TypeGuards.isTagToken(next) && next.name === `end${token.name}`) return templates;
    templates.push(parser.parseToken(next, rest));
  }
  throw new Error(`tag ${token.getText()} not closed`);
}
