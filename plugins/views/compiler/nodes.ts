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
import { foldConstant, type KeptValue, keptValue } from "./filters.ts";
import { forTag, jumpTag, tablerowTag } from "./loops.ts";
import { includeTag, renderTag } from "./partials.ts";
import { type Place, quote } from "./place.ts";
import { type FilterShape, shapeOf } from "./shapes.ts";
import { assign, capture, count, cycle, echo, output } from "./statements.ts";
import { Unsupported } from "./unsupported.ts";

type Writer = (template: Template, place: Place) => string;

/** By class, not name: a tag that was replaced or added has another class, and is not compiled. */
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
  [TablerowTag, tablerowTag],
  [BreakTag, (_, place) => jumpTag("break", place)],
  [ContinueTag, (_, place) => jumpTag("continue", place)],
  [RenderTag, renderTag],
  [IncludeTag, includeTag],
  [LayoutTag, layoutTag],
  [BlockTag, blockTag],
  [LiquidTag, (template, place) => write(shapeOf(template, "liquid").templates, place)],
]);

/** The code of a list of templates; adjacent text is joined, with the values between that are cached. */
export function write(templates: readonly Template[], place: Place): string {
  let code = "";
  let run: RunPart[] = [];
  for (const template of templates) {
    const part = constantText(template, place) ?? keptOutput(template, place);
    if (part !== undefined) {
      run.push(part);
      continue;
    }
    code += runCode(run, place);
    code += nodeCode(template, { ...place, top: place.top === templates ? templates : undefined });
    run = [];
  }
  return code + runCode(run, place);
}

/** A text, or a value that is cached. */
type RunPart = string | KeptValue;

/** Appends texts and cached values as one: a page is put together from fewer pieces. */
function runCode(run: readonly RunPart[], place: Place): string {
  const kept = run.filter((part) => typeof part !== "string");
  const [first] = kept;
  if (!first) return appendText(run.join(""), place);
  if (kept.some(({ path }) => path.join() !== first.path.join()))
    return run.map((part) => runCode([part], place)).join("");
  const make = (read: unknown) => run.map((part) => (typeof part === "string" ? part : part.make(read))).join("");
  return `${place.out}+=${place.unit.kept(first.path, make)};`;
}

const appendText = (text: string, { out }: Place): string => (text === "" ? "" : `${out}+=${quote(text)};`);

/** An output that is nothing but a cached value, escaped. */
function keptOutput(template: Template, place: Place): KeptValue | undefined {
  if (!(template instanceof Output)) return undefined;
  const { initial, filters } = template.value;
  const kept = keptValue(initial, filters as unknown as readonly FilterShape[], place);
  return kept?.used === 2 && filters.length === 2 ? kept : undefined;
}

function nodeCode(template: Template, place: Place): string {
  const writer = writers.get(template.constructor);
  const { token } = template;
  if (!writer) throw new Unsupported(`the tag ${quote((template as { name?: string }).name ?? "?")}`, token);
  return `at=${place.unit.position(token, token.file)};${writer(template, { ...place, node: token })}`;
}

/** The text of a template that renders the same everywhere; undefined for any other. */
function constantText(template: Template, { unit }: Place): string | undefined {
  if (template instanceof CommentTag || template instanceof InlineCommentTag) return "";
  if (template instanceof RawTag)
    return shapeOf(template, "raw")
      .tokens.map((token) => token.getText())
      .join("");
  if (template instanceof Output) {
    const { initial, filters } = template.value;
    const only = initial.postfix.length === 1 ? initial.postfix[0] : undefined;
    const escaper = unit.liquid.options.outputEscape as never;
    return only && "content" in only ? foldConstant(only.content, filters as never, escaper) : undefined;
  }
  const { str } = template as { str?: unknown };
  return typeof str === "string" && (template as { name?: unknown }).name === undefined ? str : undefined;
}
