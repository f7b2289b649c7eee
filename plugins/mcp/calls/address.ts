import type { BaseController } from "framewright/host";

/** The address of a path with the arguments in place of its parameters. */
export function addressOf(
  prefix: string,
  { request }: BaseController,
  path: string,
  given: Readonly<Record<string, unknown>>,
): string {
  const own = path
    .slice(prefix.length)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
  return request.mountPath + own;
}
