import type { Command } from "./commands/command.ts";
import type { ApplicationFiles } from "./support/application.ts";
import type { Changes } from "./support/changes.ts";

/** One option of a command or a generator. */
export interface OptionSpec {
  summary: string;
  /** The placeholder of the value, as in NAME; without it, the option is a flag. */
  value?: string;
  short?: string;
}
/** Options by name, without the dashes. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;
/** `user_model` and `user-model` as they are read: `userModel`. */
type LowerCamel<S extends string> = S extends `${infer A}${"_" | "-"}${infer B}`
  ? `${A}${Capitalize<LowerCamel<B>>}`
  : S;
type Answers<O extends OptionSpecs> = {
  readonly [K in keyof O & string as LowerCamel<K>]?: O[K] extends { value: string } ? string : boolean;
};

/** Options of a composed generator by name; undefined is left out. */
export type ComposedOptions = Readonly<Record<string, string | boolean | undefined>>;

/** The argument of a generator's `run`. */
export interface GeneratorContext<O extends OptionSpecs = OptionSpecs> {
  app: ApplicationFiles;
  /** The arguments after the generator's name. */
  args: readonly string[];
  options: Answers<O>;
  changes: Changes;
  /** Renders a template of the generator's `templates/` folder, without its `.liquid`. */
  render(template: string, locals?: object): string;
  /** Generates a file from a template. */
  template(path: string, template: string, locals?: object): void;
  /** Prints a line once the files are written. */
  note(line: string): void;
  /** Runs another generator on the same changes; returns its notes, which are not printed. Options by their names, as in `{ dest: "blogging" }`. */
  compose(generator: Generator, args: readonly string[], options?: ComposedOptions): Promise<string[]>;
}

/** A generator: `fw generate <name>`. */
export interface Generator {
  /** With the prefix of its author: fw:pkg:portal. */
  readonly name: string;
  readonly summary: string;
  /** A complete command line, printed by the help and in error messages. */
  readonly example: string;
  /** As in "<name> [field...]"; arguments in angle brackets are required. */
  readonly args?: string;
  readonly options?: OptionSpecs;
  /** Further text of the help, as for a grammar of arguments. */
  readonly help?: string;
  /** Runs outside of an application too: its files are written below the working directory. */
  readonly isStandalone?: boolean;
  /** The folder that contains `templates/`: import.meta.dirname. */
  readonly directory: string;
  run(context: GeneratorContext): void | Promise<void>;
}

/** Loads a generator's module, whose default export is the generator. */
export type LoadGenerator = () => Promise<{ default: Generator }>;

declare module "framewright/kernel" {
  interface Contributions {
    /** The commands that the plugin adds to `fw`. */
    readonly commands?: readonly Command[];
    /** The generators that the plugin adds, by name: `{ "acme:thing": () => import("./thing.ts") }`, or the generator itself. */
    readonly generators?: Readonly<Record<string, LoadGenerator | Generator>>;
  }
}

/** Defines a generator; the types of `options` in `run` follow from what it declares. */
export function defineGenerator<const O extends OptionSpecs = Record<never, never>>(
  generator: Omit<Generator, "options" | "run"> & {
    options?: O;
    run(context: GeneratorContext<O>): void | Promise<void>;
  },
): Generator {
  return generator as unknown as Generator;
}
