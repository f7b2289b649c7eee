import {
  AssignTag,
  CaptureTag,
  DecrementTag,
  ForTag,
  IncludeTag,
  IncrementTag,
  LayoutTag,
  RenderTag,
  type Template,
  toValueSync,
} from "liquidjs";
import { seen } from "./shapes.ts";

/** The names that templates which share one scope may set. */
export interface Names {
  readonly assigned: Set<string>;
  /** By `increment` and `decrement`: names of their own, looked up after all others. */
  readonly counted: Set<string>;
  /** Whether a loop goes on where another one ended: `offset: continue`. */
  resumes: boolean;
}
/** The templates of an `include` or a `layout`; none where the name is not known before it is rendered. */
type Load = (tag: IncludeTag | LayoutTag) => readonly Template[];

/** Walks templates with everything that shares their scope; what `render` renders has a scope of its own. */
export function namesIn(templates: readonly Template[], load: Load): Names {
  const names: Names = { assigned: new Set(), counted: new Set(), resumes: false };
  const walked = new Set<readonly Template[]>();
  const walk = (list: readonly Template[]): void => {
    if (walked.has(list)) return;
    walked.add(list);
    for (const template of list) {
      note(template, names);
      if (template instanceof IncludeTag || template instanceof LayoutTag) walk(load(template));
      walk(childrenOf(template));
    }
  };
  walk(templates);
  return names;
}

function note(template: Template, names: Names): void {
  if (template instanceof AssignTag) names.assigned.add(seen(template, "assign").key);
  else if (template instanceof CaptureTag) names.assigned.add(seen(template, "capture").variable);
  else if (template instanceof IncrementTag || template instanceof DecrementTag)
    names.counted.add(seen(template, "count").variable);
  else if (template instanceof ForTag)
    names.resumes ||= Object.values(template.hash.hash).some((value) => value?.getText().startsWith("continue"));
}

function childrenOf(template: Template): readonly Template[] {
  if (template instanceof RenderTag || template instanceof IncludeTag) return [];
  if (template instanceof LayoutTag) return template.templates;
  return template.children ? (toValueSync(template.children(false, true) as never) as Template[]) : [];
}
