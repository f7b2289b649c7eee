import { spanFrom, withoutText } from "../../../../generators/toolkit/index.ts";

/** The depth of braces in `states("status", { draft: { submit: … } })` at which a transition is named. */
const DEPTH = 2;

/** Whether the source of a model declares a transition of that name by `states(…)`, as far as its text shows. */
export function hasTransition(text: string, name: string): boolean {
  const code = withoutText(text);
  const start = /\bstates\s*=\s*states\(/.exec(code);
  const open = start ? code.indexOf("{", start.index) : -1;
  const span = open === -1 ? undefined : spanFrom(text, open);
  if (!span) return false;
  const keys = new RegExp(`[{}]|\\b${name}\\s*:`, "g");
  let depth = 0;
  for (const [found] of code.slice(span.open, span.close).matchAll(keys)) {
    if (found === "{") depth++;
    else if (found === "}") depth--;
    else if (depth === DEPTH) return true;
  }
  return false;
}
