import { withoutText } from "./list_literal.ts";

export interface ImportedName {
  name: string;
  /** As the file calls it. */
  local: string;
}
/** `import { a, type B as C } from "x"`, or an export of that form. */
export interface ImportStatement {
  keyword: "import" | "export";
  names: readonly ImportedName[];
  /** The name of `import * as name`. */
  namespace: string | undefined;
  start: number;
  end: number;
  /** What is between the braces; undefined without braces. */
  list: { start: number; end: number } | undefined;
}

/** The statements that import from a module, or export from it, in the order of the file. */
export function statementsOf(text: string, module: string): ImportStatement[] {
  const code = withoutText(text);
  const from = module.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const statement = new RegExp(`\\b(import|export)\\b([^;"'()]*?)\\bfrom\\s*["']${from}["'];?`, "g");
  return [...text.matchAll(statement)]
    .filter(({ index }) => code[index]!.trim() !== "") // not in a comment
    .map(({ 0: whole, 1: keyword, 2: clause, index }) => {
      const open = whole.indexOf("{");
      const list = open === -1 ? undefined : { start: index + open + 1, end: index + whole.indexOf("}") };
      return {
        keyword: keyword as "import" | "export",
        names: list ? namesIn(code.slice(list.start, list.end)) : [],
        namespace: /\*\s+as\s+(\w+)/.exec(clause!)?.[1],
        start: index,
        end: index + whole.length,
        list,
      };
    });
}

const namesIn = (list: string): ImportedName[] =>
  list.split(",").flatMap((written) => {
    const [, name, local] = /^\s*(?:type\s+)?(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(written) ?? [];
    return name === undefined ? [] : [{ name, local: local ?? name }];
  });

/** How a file calls what it imports from a module; undefined where it does not import it. */
export const localNameOf = (text: string, name: string, module: string): string | undefined =>
  statementsOf(text, module)
    .filter(({ keyword }) => keyword === "import")
    .flatMap(({ names }) => names)
    .find((imported) => imported.name === name)?.local;
