import { errorTable } from "./support/error_table.ts";
import { didYouMean } from "./support/suggest.ts";

const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

export const errors = errorTable({
  FW_SLOT_EMPTY: (
    plugin: string,
    slot: string,
    suggestion?: string,
    provided: readonly string[] = [],
    factory?: string,
  ) =>
    `"${plugin}" requires "${slot}", and no plugin provides it.${didYouMean(suggestion)} Add ${factory ?? "one that provides it"} to plugins.config.ts.${provided.length > 0 ? ` Provided are: ${provided.join(", ")}.` : ""}`,
  FW_SLOT_TAKEN: (slot: string, first: string, second: string, replaces = false) =>
    replaces
      ? `"${first}" and "${second}" both replace "${slot}". Leave one of the two out of plugins.config.ts.`
      : `"${first}" and "${second}" both provide "${slot}". Leave one out of plugins.config.ts, or give "${second}" replaces: true to take the slot over.`,
  FW_SLOT_NOTHING_TO_REPLACE: (plugin: string) =>
    `"${plugin}" has replaces: true and provides no slot. Add provides: "<slot>", or drop replaces.`,
  FW_SLOT_OWN: (plugin: string, slot: string) =>
    `"${plugin}" provides "${slot}" and takes it from another plugin, too. To wrap the service of another plugin, write decorates: "${slot}" alone; to take its place, provides and replaces: true.`,
  FW_PLUGIN_CYCLE: (names: readonly string[]) =>
    `these plugins require each other in a circle: ${names.join(" -> ")}. Leave one of these slots out of requires and uses, and tap its hooks where they are (hooks.<slot>?.<hook>).`,
  FW_PLUGIN_DUPLICATE: (name: string, first: number, second: number, instances = false) =>
    `${first < 0 ? "the kernel itself" : `entry ${first + 1}`} and entry ${second + 1} of plugins.config.ts are both named "${name}". Remove one of the two, or ${instances ? `give one a name of its own: { as: "${name}_2" }` : "rename it"}.`,
  FW_PLUGIN_SHAPE: (index: number, what: string) =>
    `entry ${index + 1} of plugins.config.ts is not a plugin: ${what}. List what definePlugin returned; a factory must be called, as in: views().`,
  FW_OPTION_UNKNOWN: (plugin: string, option: string, known: readonly string[], suggestion: string | undefined) =>
    `"${plugin}" has no option "${option}".${didYouMean(suggestion)} It takes: ${known.length > 0 ? list(known) : "none"}.`,
  FW_OPTION_INVALID: (plugin: string, option: string, expected: string) =>
    `the option "${option}" of "${plugin}" is not valid: expected ${expected}. Correct it in plugins.config.ts.`,
  FW_ENV_MISSING: (plugin: string, name: string, expected: string) =>
    `"${plugin}" needs ${name} in the environment: ${expected}. Put it into .env.<environment> or the environment.`,
  FW_ENV_INVALID: (plugin: string, name: string, expected: string) =>
    `${name}, which "${plugin}" reads, is not valid: expected ${expected}. Correct it in .env.<environment> or the environment.`,
  FW_PLUGIN_DIRECTORY: (plugin: string, directory: string, problem: string) =>
    `the directory of "${plugin}" ${problem}: ${directory}. Name the folder that contains its views/, locales/, migrate/ or assets/, and copy them there when the plugin is built.`,
  FW_HOOK_FOREIGN: (plugin: string, hook: string, method: string) =>
    `"${plugin}" uses ${method} of the hook "${hook}", which is its owner's. Other plugins tap it: tap or tapPromise.`,
  FW_HOOKS_SHAPE: (plugin: string, slot: string, hook: string) =>
    `"${plugin}" opens "${slot}.${hook}", which is not a tapable hook. Return new SyncHook, SyncBailHook, AsyncSeriesHook, … from hooks().`,
  FW_HOOKS_MISSING: (plugin: string, slot: string, hook: string, kind: string) =>
    `"${plugin}" took the slot "${slot}" over and does not open its hook "${hook}" as ${kind}. Return it from hooks(), so that its taps still run.`,
  FW_TAP_LATE: (hook: string, name: string) =>
    `"${name}" taps "${hook}" outside of apply(). Tap hooks while apply() runs; they are frozen after it.`,
  FW_TAP_NAME: (hook: string, name: string, plugin: string) =>
    `the plugin "${plugin}" taps "${hook}" under the name "${name}". Tap under the plugin's own name: tap("${plugin}", …).`,
  FW_TAP_BEFORE: (hook: string, name: string) =>
    `"${name}" taps "${hook}" with "before". Use a stage that the hook's owner exports instead: tap({ name, stage }, …).`,
  FW_TAP_CALLBACK: (hook: string, name: string) =>
    `"${name}" taps "${hook}" with tapAsync. Use tap or tapPromise; callbacks escape the tracing.`,
  FW_TAP_PORTAL: (hook: string, name: string, portal: string) =>
    `"${name}" taps "${hook}" for the portal "${portal}", and this hook is called for no portal. Leave portal out.`,
  FW_TAP_FAILED: (hook: string, name: string, message: string) =>
    `the plugin "${name}" failed in the hook "${hook}": ${message}`,
  FW_TAP_ANSWER: (hook: string, name: string, got: string, expected: string) =>
    `the plugin "${name}" answered the hook "${hook}" with ${got}; expected ${expected}, or undefined for no opinion.`,
  FW_TAP_TIMEOUT: (hook: string, name: string, milliseconds: number) =>
    `the plugin "${name}" did not finish in the hook "${hook}" within ${milliseconds} ms. Await something that ends, or raise the deadline.`,
  FW_APPLY_TIMEOUT: (name: string, milliseconds: number) =>
    `the plugin "${name}" did not finish its apply() within ${milliseconds} ms. Move what waits into the hook "boot", or raise the plugin's bootWithin.`,
  FW_APPLY_FAILED: (plugin: string, message: string) => `the plugin "${plugin}" failed to apply: ${message}`,
  FW_CLOSE_FAILED: (failures: readonly string[]) => `the application closed with failures: ${failures.join("; ")}`,
  FW_REGISTRY_TAKEN: (what: string, name: string, first: string, second: string, isReplaceable: boolean) =>
    first === second
      ? `"${first}" adds ${what} "${name}" twice. Remove one of the two, or rename it.`
      : `"${first}" and "${second}" both add ${what} "${name}". Rename one, or ${isReplaceable ? `let "${second}" take it over with { replace: true }` : "leave one of the two out of plugins.config.ts"}.`,
  FW_REGISTRY_NOTHING: (what: string, name: string, plugin: string, suggestion: string | undefined) =>
    `"${plugin}" replaces ${what} "${name}", and there is none.${didYouMean(suggestion)} Correct the name, or leave replace out.`,
  FW_WORD_TAKEN: (name: string, first: string, second: string) =>
    `"${first}" and "${second}" both define the macro "${name}". Leave one of the two out of plugins.config.ts.`,
  FW_WORD_UNKNOWN: (owner: string, name: string, provider: string | undefined) =>
    `${owner} calls "${name}", and no plugin defines it. Add ${provider ?? "the one that does"} to plugins.config.ts${provider ? "" : ", or check the spelling"}.`,
});
