/** A class that a template imports by default, under a name that the developer chose: the local of its tag. */
const IMPORTED = /^import (?:type )?\{\{ (\w+) \}\} from/gm;
/** The class that the file is about. */
const DECLARED = /\bclass \{\{ (\w+) \}\}/g;
/** A base whose name the generator chooses: `import { {{ base }} as Base }`. */
const NAMED = /^import \{[^}]*\{\{ (\w+) \}\} as /gm;
const NOT_CODE = /\w*\{\{[^}]*\}\}\w*|\{%[^%]*%\}|"[^"\n]*"|\/\*\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/**
 * The source of a template, with other local names for those of its imported or declared classes that the file uses for
 * something else: a model Invite, imported by an interaction Invite, is InviteModel there. The class of a default export may have any name.
 */
export function withFreeNames(source: string, locals: Readonly<Record<string, unknown>>): string {
  const fixed = new Set(source.replaceAll(NOT_CODE, " ").match(/\b[A-Z]\w*/g));
  const localsOf = (pattern: RegExp) => new Set([...source.matchAll(pattern)].map(([, local]) => local!));
  const declared = localsOf(DECLARED);
  const taken = new Set([...fixed, ...[...declared, ...localsOf(NAMED)].map((local) => String(locals[local]))]);
  let text = source;
  for (const local of declared) if (fixed.has(String(locals[local]))) text = withSuffix(text, local, "Class");
  for (const local of localsOf(IMPORTED)) {
    if (taken.has(String(locals[local]))) text = withSuffix(text, local, "Model");
    taken.add(String(locals[local]));
  }
  return text;
}

/** Renames a local's tags where they are names of code: not within strings, nor as a part of another name. */
const withSuffix = (source: string, local: string, suffix: string): string =>
  source.replaceAll(new RegExp(`(?<![\\w"/.])\\{\\{ ${local} \\}\\}(?![\\w"/])`, "g"), (tag) => tag + suffix);
