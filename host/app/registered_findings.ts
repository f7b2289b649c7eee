import type { ApplicationContext } from "./application_context.ts";
import type { Finding } from "./hooks.ts";

/** What plugins opened, checked or let in, for `fw doctor`; nothing where they did none of it. */
export function registeredFindings({ csp, health, hosts }: ApplicationContext): Finding[] {
  const sources = csp.sources.map(({ directive, source, plugin }) => `${directive} ${source} (${plugin})`);
  const checks = health.names.map(({ name, plugin }) => `${name} (${plugin})`);
  const lists: [what: string, entries: readonly string[]][] = [
    ["sources of pages that plugins add", sources],
    ["readiness checks of plugins", checks],
    ["plugins that decide which hosts are served", hosts.plugins],
  ];
  return lists.flatMap(([what, entries]) =>
    entries.length > 0 ? [{ what, ok: true, detail: entries.join(", ") }] : [],
  );
}
