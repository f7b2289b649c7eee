import { FramewrightError, messageOf } from "framewright/kernel";
import { usage } from "../errors.ts";
import { isOwn, Registry } from "../registry.ts";
import { runGenerator } from "../run_generator.ts";
import { ApplicationFiles, findApplication } from "../support/application.ts";
import { asksForHelp, helpText, parseArguments } from "../support/arguments.ts";
import { bold, yellow } from "../support/terminal.ts";
import { writeOptions } from "../support/write_options.ts";
import type { CommandContext } from "./index.ts";

export default async function generate({ args: argv }: CommandContext): Promise<void> {
  const at = argv.findIndex((word) => !word.startsWith("-"));
  const name = argv[at];
  const root = findApplication(process.cwd());
  const registry = new Registry();
  if (root !== undefined && (name === undefined || !isOwn(name))) await addFromPlugins(registry, root);
  if (name === undefined) {
    parseArguments(
      argv.filter((word) => word !== "--help" && word !== "-h"),
      { line: "fw generate", example: "fw generate fw:core:install" },
    );
    return list(registry);
  }
  const generator = await registry.find(name);
  if (!generator) throw registry.unknown(name);
  const words = argv.filter((_, index) => index !== at);
  const line = {
    ...generator,
    line: `fw generate ${generator.name}`,
    options: { ...generator.options, ...writeOptions },
  };
  if (asksForHelp(words)) return console.log(helpText(line, generator.summary));
  const { args, options } = parseArguments(words, line);
  if (root === undefined) throw usage.FW_APPLICATION_MISSING(process.cwd());
  await runGenerator(generator, new ApplicationFiles(root), args, options);
}

/** Asks the application's plugins. One that can't be asked must not hide the framework's own generators. */
async function addFromPlugins(registry: Registry, root: string): Promise<void> {
  const { pluginGenerators } = await import("../support/load_app.ts");
  try {
    await pluginGenerators(root, registry);
  } catch (error) {
    if (isCode(error, "FW_GENERATOR_DUPLICATE")) throw error;
    console.error(yellow(`the generators of this application's plugins are missing here: ${messageOf(error)}`));
  }
}

const isCode = (error: unknown, code: string) => error instanceof FramewrightError && error.code === code;

async function list(registry: Registry): Promise<void> {
  for (const { name, args = "", summary, example } of await registry.all()) {
    console.log(`${bold(name)} ${args}\n    ${summary}\n    ${example}`);
  }
}
