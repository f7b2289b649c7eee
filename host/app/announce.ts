import { messageOf } from "framewright/kernel";
import type { AsyncSeriesHook, SyncHook } from "tapable";

/**
 * Tells a public event to every tap, one after the other, once what happened is committed. A tap that fails is logged
 * under its plugin's name; the others are told all the same, and the answer stands.
 */
export async function announce<E>(
  hook: AsyncSeriesHook<[event: E]> | SyncHook<[event: E]>,
  name: string,
  event: E,
  by: { readonly log: { error(facts: object, message: string): void } },
): Promise<void> {
  for (const tap of hook.taps) {
    try {
      await (tap.fn as (event: E) => unknown)(event);
    } catch (err) {
      by.log.error(
        { err, plugin: tap.name, hook: name },
        `the plugin "${tap.name}" failed at ${name}: ${messageOf(err)}`,
      );
    }
  }
}
