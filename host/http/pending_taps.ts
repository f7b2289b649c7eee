import type { RequestContext } from "./request.ts";

/** Stops waiting for the taps that were called for a request, and names them for its error. */
export function abandonTaps(request: RequestContext): string[] {
  const isAbout = (given: unknown) => {
    const { request: own, controller } = (given ?? {}) as { request?: unknown; controller?: { request?: unknown } };
    return given === request || own === request || controller?.request === request;
  };
  return request.kernel.abandon(isAbout).map(({ hook, plugin }) => `the plugin "${plugin}" in the hook "${hook}"`);
}
