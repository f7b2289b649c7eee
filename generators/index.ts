export type { Command, CommandContext, RunCommand } from "./commands/command.ts";
export { usage } from "./errors.ts";
export type {
  ComposedOptions,
  Generator,
  GeneratorContext,
  LoadGenerator,
  OptionSpec,
  OptionSpecs,
} from "./generator.ts";
export { defineGenerator } from "./generator.ts";
export type { Installation } from "./install/installation.ts";
export { ApplicationFiles, type ModelFile } from "./support/application.ts";
export type { Changes } from "./support/changes.ts";
export { applicationRoot, withApp } from "./support/load_app.ts";
export { underscore } from "./support/names.ts";
export { passwordFromStdin } from "./support/password.ts";
export { table } from "./support/table.ts";
export { ask, type Choice, choose } from "./support/terminal.ts";
