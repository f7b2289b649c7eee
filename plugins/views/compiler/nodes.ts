import {
  AssignTag,
  BlockTag,
  BreakTag,
  CaseTag,
  CommentTag,
  ContinueTag,
  CycleTag,
  DecrementTag,
  EchoTag,
  ForTag,
  IfTag,
  IncludeTag,
  IncrementTag,
  InlineCommentTag,
  LayoutTag,
  LiquidTag,
  Output,
  RawTag,
  RenderTag,
  TablerowTag,
  type Template,
  UnlessTag,
} from "liquidjs";
import { SafeCapture } from "../capture.ts";
import { blockTag, layoutTag } from "./blocks.ts";
import { branches, caseTag } from "./branches.ts";
import { folded } from "./filters.ts";
import { forTag, jump, tablerow } from "./loops.ts";
import { include, render } from "./partials.ts";
import { type Place, quote } from "./place.ts";
import { seen } from "./shapes.ts";
import { assign, capture, count, cycle, echo, output } from "./statements.ts";
import { Unsupported } from "./unsupported.ts";

type Writer = (template: Template, place: Place) => string;

/** By the class of liquidjs: a tag that a plugin replaced or added has another one. */
const writers = new Map<unknown, Writer>([
  [Output, output],
  [EchoTag, echo],
  [AssignTag, assign],
  [SafeCapture, capture],
  [IncrementTag, (template, place) => count(template, place, 1)],
  [DecrementTag, (template, place) => count(template, place, -1)],
  [CycleTag, cycle],
  [IfTag, (template, place) => branches(template, place, false)],
  [UnlessTag, (template, place) => branches(template, place, true)],
  [CaseTag, caseTag],
  [ForTag, forTag],
  [TablerowTag, tablerow],
  [BreakTag, (_, place) => jump("break", place)],
  [ContinueTag, (_, place) => jump("continue", place)],
  [RenderTag, render],
  [IncludeTag, include],
  [LayoutTag, layoutTag],
  [BlockTag, blockTag],
  [LiquidTag, (template, place) => write(seen(template, "liquid").templates, place)],
]);

/** The code of a list of templates: neighbouring text is one piece. */
export function write(templates: readonly Template[], place: Place): string {
  let code = "";
  let text = "";
  for (const template of templates) {
    const fixed = textOf(template, place);
    text += fixed ?? "";
    if (fixed !== undefined) continue;
    code += put(text, place) + node(template, { ...place, top: place.top === templates ? templates : undefined });
    text = "";
  }
  return code + put(text, place);
}

const put = (text: string, { out }: Place): string => (text === "" ? "" : `${out}+=${quote(text)};`);

function node(template: Template, place: Place): string {
  const writer = writers.get(template.constructor);
  const { token } = template;
  if (!writer) throw new Unsupported(`the tag ${quote((template as { name?: string }).name ?? "?")}`, token);
  return `at=${place.unit.position(token, token.file)};${writer(template, { ...place, node: token })}`;
}

/** What is the same on every page. */
function textOf(template: Template, { unit }: Place): string | undefined {
  if (template instanceof CommentTag || template instanceof InlineCommentTag) return "";
  if (template instanceof RawTag)
    return seen(template, "raw")
      .tokens.map((token) => token.getText())
      .join("");
  if (template instanceof Output) {
    const { initial, filters } = template.value;
    const only = initial.postfix.length === 1 ? initial.postfix[0] : undefined;
    const escaper = unit.liquid.options.outputEscape as never;
    return only && "content" in only ? folded(only.content, filters as never, escaper) : undefined;
  }
  const { str } = template as { str?: unknown };
  return typeof str === "string" && (template as { name?: unknown }).name === undefined ? str : undefined;
}
