import { FramewrightError, messageOf } from "framewright/kernel";
import { usage } from "../errors.ts";
import { isBuiltIn, Registry } from "../registry.ts";
import { runGenerator } from "../run_generator.ts";
import { ApplicationFiles, findApplication } from "../support/application.ts";
import { helpText, isHelpRequested, parseArguments } from "../support/arguments.ts";
import { bold, yellow } from "../support/terminal.ts";
import { writeOptions } from "../support/write_options.ts";
import type { CommandContext } from "./command.ts";

export default async function generate({ args: argv }: CommandContext): Promise<void> {
  const at = argv.findIndex((argument) => !argument.startsWith("-"));
  const name = argv[at];
  const root = findApplication(process.cwd());
  const registry = new Registry();
  if (root !== undefined && (name === undefined || !isBuiltIn(name))) await addFromPlugins(registry, root);
  if (name === undefined) {
    parseArguments(
      argv.filter((argument) => argument !== "--help" && argument !== "-h"),
      { line: "fw generate", example: "fw generate fw:core:install" },
    );
    return list(registry);
  }
  const generator = await registry.find(name);
  if (!generator) throw registry.unknown(name);
  const rest = argv.filter((_, index) => index !== at);
  const line = {
    ...generator,
    line: `fw generate ${generator.name}`,
    options: { ...generator.options, ...writeOptions },
  };
  if (isHelpRequested(rest)) return console.log(helpText(line, generator.summary));
  const { args, options } = parseArguments(rest, line);
  if (root === undefined) throw usage.FW_APPLICATION_MISSING(process.cwd());
  await runGenerator(generator, new ApplicationFiles(root), args, options);
}

/** Adds the generators of the application's plugins. If they can't be loaded, the framework's own are still listed. */
async function addFromPlugins(registry: Registry, root: string): Promise<void> {
  const { pluginGenerators } = await import("../support/load_app.ts");
  try {
    await pluginGenerators(root, registry);
  } catch (error) {
    if (isCode(error, "FW_GENERATOR_DUPLICATE")) throw error;
    console.error(yellow(`the generators of this application's plugins could not be loaded: ${messageOf(error)}`));
  }
}

const isCode = (error: unknown, code: string) => error instanceof FramewrightError && error.code === code;

async function list(registry: Registry): Promise<void> {
  for (const { name, args = "", summary, example } of await registry.all()) {
    console.log(`${bold(name)} ${args}\n    ${summary}\n    ${example}`);
  }
}
