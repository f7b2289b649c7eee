export type { ComposedOptions, Generator, GeneratorContext, OptionSpec, OptionSpecs } from "./generator.ts";
export { defineGenerator } from "./generator.ts";
export type { ApplicationFiles, ModelFile } from "./support/application.ts";
export type { Changes } from "./support/changes.ts";
export { ask, type Choice, choose } from "./support/terminal.ts";
