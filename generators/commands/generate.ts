import { usage } from "../errors.ts";
import type { Generator, OptionSpec } from "../generator.ts";
import { frameworkGenerator, type Generators } from "../registry.ts";
import { runGenerator } from "../run_generator.ts";
import { ApplicationFiles } from "../support/application.ts";
import { helpText, isHelpRequested, parseArguments } from "../support/arguments.ts";
import { findApplication } from "../support/find_application.ts";
import { generatorsOf } from "../support/generators_of.ts";
import { keptContributions } from "../support/kept_contributions.ts";
import { bold } from "../support/terminal.ts";
import { writeOptions } from "../support/write_options.ts";
import type { CommandContext } from "./command.ts";

export default async function generate({ args: argv }: CommandContext): Promise<void> {
  const at = argv.findIndex((argument) => !argument.startsWith("-"));
  const name = argv[at];
  const root = findApplication(process.cwd());
  if (name === undefined) {
    const { options } = parseArguments(
      argv.filter((argument) => argument !== "--help" && argument !== "-h"),
      { line: "fw generate", example: "fw generate fw:core:install", options: listOptions },
    );
    const generators = await generatorsOf(root);
    return options.json
      ? console.log(JSON.stringify((await generators.all()).map(described), undefined, 2))
      : list(generators);
  }
  const generator = await generatorNamed(name, root);
  const rest = argv.filter((_, index) => index !== at);
  const line = {
    ...generator,
    line: `fw generate ${generator.name}`,
    options: { ...generator.options, ...writeOptions },
  };
  if (isHelpRequested(rest)) return console.log(helpText(line, generator.summary));
  const { args, options } = parseArguments(rest, line);
  const target = generator.isStandalone ? process.cwd() : root;
  if (target === undefined) throw usage.FW_APPLICATION_MISSING(process.cwd());
  await runGenerator(generator, new ApplicationFiles(target), args, options);
}

const listOptions = { json: { summary: "Print all generators with a JSON Schema of what each takes" } };

/** A generator for programs: what it does, and what it takes as a JSON Schema (draft 2020-12). */
function described({ name, summary, example, args = "", options = {} }: Generator) {
  const all: [string, OptionSpec][] = Object.entries({ ...options, ...writeOptions });
  const properties = all.map(([option, spec]) => {
    const type = spec.value === undefined ? { type: "boolean" } : { type: "string", title: spec.value };
    return [option, { ...type, description: spec.summary }];
  });
  const own = args === "" ? {} : { args: { type: "array", items: { type: "string" }, description: args } };
  const needed = /^</.test(args) ? { required: ["args"] } : {};
  const input = { type: "object", ...needed, properties: { ...own, ...Object.fromEntries(properties) } };
  return { name, summary, example, input: { ...input, additionalProperties: false } };
}

/** Loads the application's plugins only for a generator that is not known without them. @throws FW_GENERATOR_UNKNOWN */
async function generatorNamed(name: string, root: string | undefined): Promise<Generator> {
  const listed = root === undefined ? [] : (keptContributions(root)?.generators ?? []);
  const known = await frameworkGenerator(name, listed);
  if (known) return known;
  const generators = await generatorsOf(root);
  const found = await generators.find(name);
  if (!found) throw generators.unknown(name);
  return found;
}

async function list(generators: Generators): Promise<void> {
  const groups = new Map<string, Generator[]>();
  for (const generator of await generators.all()) {
    const group = groupOf(generator.name);
    groups.set(group, [...(groups.get(group) ?? []), generator]);
  }
  for (const [group, members] of groups) {
    console.log(`\n${bold(group)}`);
    for (const { name, args = "", summary } of members) console.log(`  ${name} ${args}\n      ${summary}`);
  }
  console.log("\nfw generate <name> --help explains a generator, with an example.");
}

/** The heading of a generator: those of one plugin's or subject's prefix are together, the others of the framework too. */
function groupOf(name: string): string {
  const [author, subject, rest] = name.split(":");
  if (author !== "fw") return author!;
  return rest === undefined || rest === "install" ? "fw" : `fw:${subject}`;
}
