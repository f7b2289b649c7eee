import { checkOptions, type OptionRules, rule } from "./options.ts";

/** A plugin as `definePlugin` was given it, with the name that the application chose for it. */
interface Listed {
  readonly name: string;
  readonly instances?: true;
  readonly as?: string | undefined;
  /** The plugin's own name, where the application chose another by `as`. */
  readonly instanceOf?: string;
}

const asRule: OptionRules = {
  as: rule<string>(
    "a name of lower-case letters, digits and _ that begins with a letter",
    (value) => typeof value === "string" && /^[a-z][a-z0-9_]*$/.test(value),
  ),
};

/** The plugin under the name that the application gave it. @throws FW_OPTION_INVALID */
export function named<P extends Listed>(plugin: P, as: string | undefined = plugin.as): P {
  if (as === undefined) return plugin;
  checkOptions(plugin.name, { as }, asRule);
  return { ...plugin, name: as, instanceOf: plugin.name };
}

/** The rules of the options of a factory, with `as` where its plugin may be listed several times. */
export const rulesOf = ({ instances }: { readonly instances?: true }, options: OptionRules): OptionRules =>
  instances ? { ...options, ...asRule } : options;

/** The plugins without further instances of one: what belongs to all of them, as commands, is taken from the first. */
export function distinctPlugins<P extends object>(plugins: readonly P[]): P[] {
  const seen = new Set<string>();
  return plugins.filter((plugin) => {
    const { instances, instanceOf, name } = plugin as P & Listed;
    const own = instanceOf ?? name;
    const isFurther = instances === true && seen.has(own);
    if (instances) seen.add(own);
    return !isFurther;
  });
}
