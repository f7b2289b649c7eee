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
import { shapeOf } from "./shapes.ts";

/** The names that templates sharing a scope may set. */
export interface ScopeNames {
  readonly assigned: Set<string>;
  /** Set by `increment` and `decrement`: in their own namespace, looked up last. */
  readonly counted: Set<string>;
  /** Whether a loop resumes where another one ended: `offset: continue`. */
  resumes: boolean;
}
/** The templates of an `include` or a `layout`; none where the name is computed while rendering. */
type LoadTemplates = (tag: IncludeTag | LayoutTag) => readonly Template[];

/** Walks templates and everything that shares their scope; `render` has its own scope. */
export function namesIn(templates: readonly Template[], load: LoadTemplates): ScopeNames {
  const names: ScopeNames = { assigned: new Set(), counted: new Set(), resumes: false };
  const walked = new Set<readonly Template[]>();
  const walk = (list: readonly Template[]): void => {
    if (walked.has(list)) return;
    walked.add(list);
    for (const template of list) {
      collectNames(template, names);
      if (template instanceof IncludeTag || template instanceof LayoutTag) walk(load(template));
      walk(childrenOf(template));
    }
  };
  walk(templates);
  return names;
}

function collectNames(template: Template, names: ScopeNames): void {
  if (template instanceof AssignTag) names.assigned.add(shapeOf(template, "assign").key);
  else if (template instanceof CaptureTag) names.assigned.add(shapeOf(template, "capture").variable);
  else if (template instanceof IncrementTag || template instanceof DecrementTag)
    names.counted.add(shapeOf(template, "count").variable);
  else if (template instanceof ForTag)
    names.resumes ||= Object.values(template.hash.hash).some((value) => value?.getText().startsWith("continue"));
}

function childrenOf(template: Template): readonly Template[] {
  if (template instanceof RenderTag || template instanceof IncludeTag) return [];
  if (template instanceof LayoutTag) return template.templates;
  return template.children ? (toValueSync(template.children(false, true) as never) as Template[]) : [];
}
