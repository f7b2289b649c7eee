import { type AsyncSeriesHook, messageOf, type SyncHook, tapsOf } from "framewright/kernel";

/**
 * Calls every tap of a public event, one after the other, once its change is committed. A tap that fails is logged
 * with the name of its plugin; the others still run, and the reply is not affected.
 */
export async function announce<E>(
  hook: AsyncSeriesHook<[event: E]> | SyncHook<[event: E]>,
  name: string,
  event: E,
  by: { readonly log: { error(facts: object, message: string): void } },
): Promise<void> {
  for (const { plugin, call } of tapsOf<[event: E]>(hook)) {
    try {
      const waits = call(event);
      if (waits) await waits;
    } catch (err) {
      by.log.error({ err, plugin, hook: name }, `the plugin "${plugin}" failed at ${name}: ${messageOf(err)}`);
    }
  }
}
