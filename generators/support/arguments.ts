import { cac } from "cac";
import { suggest } from "framewright/kernel";
import { usage } from "../errors.ts";
import type { OptionSpecs } from "../generator.ts";
import { lowerCamel } from "./names.ts";

export interface Parsed {
  args: string[];
  options: Record<string, string | boolean>;
}
/** How a command or generator is called. */
export interface Usage {
  /** As typed: "fw db:migrate". */
  line: string;
  args?: string;
  example: string;
  options?: OptionSpecs;
  /** Further text of the help. */
  help?: string;
}

/** `--jwt_refresh` is `--jwt-refresh`. */
const withDashes = (word: string) => word.replace(/^--[^=]+/, (flag) => flag.replaceAll("_", "-"));
const valueMark = "\u0000"; // keeps 0012 a text: the parser would convert it to a number

/** Parses arguments strictly: refuses unknown options, converts nothing. @throws FW_FLAG_…, FW_ARGUMENT_… */
export function parseArguments(argv: readonly string[], command: Usage): Parsed {
  const specs = Object.entries(command.options ?? {}).map(([name, spec]) => ({
    name: name.replaceAll("_", "-"),
    spec,
    key: lowerCamel(name),
  }));
  const words = argv.map(withDashes);
  refuseUnknown(
    words,
    command,
    specs.map(({ name }) => name),
  );
  const parser = cac("fw");
  const matched = parser.command("run [...args]", "", { allowUnknownOptions: true });
  for (const { name, spec } of specs) matched.option(`--${name}${spec.value ? ` [${spec.value}]` : ""}`, spec.summary);
  const valued = new Set(specs.filter(({ spec }) => spec.value).map(({ name }) => name));
  const { args, options } = parser.parse(
    ["node", "fw", "run", ...words.map((word, index) => withValueMark(word, words[index - 1], valued))],
    { run: false },
  );
  const read: Parsed["options"] = {};
  for (const { name, spec, key } of specs) {
    const value = name.startsWith("no-") ? isNegated(options, name) : ([options[key]].flat() as unknown[]).at(-1);
    if (value === undefined) continue;
    if (spec.value && typeof value !== "string") throw usage.FW_FLAG_VALUE(`--${name}`, `--${name}=${spec.value}`);
    read[key] = typeof value === "string" ? value.replaceAll(valueMark, "") : Boolean(value);
  }
  const typed = [...args, ...((options["--"] as string[] | undefined) ?? [])];
  checkCount(typed, command);
  return { args: typed, options: read };
}

/** Whether `--no-model` was passed: the parser reads it as the option "model" with the value false. */
const isNegated = (options: Record<string, unknown>, name: string): true | undefined =>
  [options[lowerCamel(name.slice(3).replaceAll("-", "_"))]].flat().at(-1) === false ? true : undefined;

function withValueMark(word: string, previous: string | undefined, valued: ReadonlySet<string>): string {
  const [flag, value] = word.startsWith("--")
    ? [word.slice(2).split("=")[0]!, word.split("=").slice(1).join("=")]
    : [undefined, word];
  if (flag !== undefined)
    return valued.has(flag) && word.includes("=") && value ? `--${flag}=${valueMark}${value}` : word;
  return previous?.startsWith("--") && valued.has(previous.slice(2)) ? valueMark + word : word;
}

function refuseUnknown(words: readonly string[], command: Usage, known: readonly string[]): void {
  const end = words.indexOf("--");
  for (const word of end === -1 ? words : words.slice(0, end)) {
    if (!/^-[^\d]/.test(word)) continue;
    const name = word.replace(/^--?/, "").split("=")[0]!;
    const meant = suggest(name, known);
    if (!word.startsWith("--") || !known.includes(name))
      throw usage.FW_FLAG_UNKNOWN(command.line, word.split("=")[0]!, meant && `--${meant}`);
  }
}

function checkCount(args: readonly string[], { line, args: shape = "", example }: Usage): void {
  const wanted = shape.split(" ").filter(Boolean);
  const missing = wanted.find((argument, index) => argument.startsWith("<") && args[index] === undefined);
  if (missing) throw usage.FW_ARGUMENT_MISSING(line, missing, example);
  if (!shape.includes("...") && args.length > wanted.length)
    throw usage.FW_ARGUMENT_UNUSED(line, args[wanted.length]!, example);
}

export function helpText({ line, args, example, options = {}, help: further }: Usage, summary: string): string {
  const help: OptionSpecs = { help: { summary: "Print this help" } };
  const rows = Object.entries({ ...options, ...help }).map(
    ([name, { summary: text, value }]) => [`--${name}${value ? `=${value}` : ""}`, text] as const,
  );
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return [
    `${summary}.\n`,
    `Usage: ${[line, args].filter(Boolean).join(" ")}${rows.length > 1 ? " [options]" : ""}\n`,
    ...rows.map(([flag, text]) => `  ${flag.padEnd(width)}  ${text}`),
    ...(further === undefined ? [] : [`\n${further}`]),
    `\nExample:\n  ${example}`,
  ].join("\n");
}

/** Whether `--help` or `-h` is anywhere before a `--`. */
export function isHelpRequested(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => word === "--help" || word === "-h");
}
