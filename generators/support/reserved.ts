import { usage } from "../errors.ts";

/** Keywords of JavaScript, which can't name a variable, a class or an import. */
const keywords =
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield";
/** Device names: some systems can't create files with these names. */
const devices =
  "aux con nul prn com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9";
/** Names that generated classes import or extend, or that policies, requests or all objects have as members. */
const imported = "application associations attributes constructor model object prototype query record resource";

/** The names, in snake case, by the reason against them: those of one list for files, names of packages and classes, the last for classes alone. */
export const reservedNames = { keywords, devices, imported } as const;
const setOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const [keywordSet, deviceSet, importedSet] = [setOf(keywords), setOf(devices), setOf(imported)];

function reasonAgainst(part: string, isClass: boolean): string | undefined {
  if (keywordSet.has(part)) return "it is a keyword of JavaScript";
  if (deviceSet.has(part)) return "some systems can't have files with that name";
  return isClass && importedSet.has(part) ? "generated code uses that name for something else" : undefined;
}

/**
 * Refuses a name, in snake case and possibly a path, that generated files or code can't have.
 * `isClass`: a class is named after it. @throws FW_NAME_INVALID
 */
export function checkReserved(what: string, name: string, { isClass = false }: { isClass?: boolean } = {}): void {
  for (const part of name.split("/")) {
    const reason = reasonAgainst(part, isClass);
    if (reason !== undefined) throw usage.FW_NAME_INVALID(what, part, `${reason}. Choose another`);
  }
}
