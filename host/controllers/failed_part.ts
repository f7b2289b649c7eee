import { html, type SafeHtml } from "../support/html.ts";
import type { BaseController } from "./controller.ts";

/** Module-level: found by a request, and freed with it. */
const logged = new WeakMap<object, Set<string>>();

/**
 * The text in the place of a part of a page that failed; the error is logged, once for a request and message.
 * @throws the cause where it is an answer, as a 404
 */
export function failedPart(controller: BaseController, error: Error, cause: unknown): SafeHtml {
  logPart(controller, error, cause);
  return html`<span class="fw-part-failed" role="status">${controller.t("framework.part_failed")}</span>`;
}

/** Logs that a part of a page failed and is left out. @throws the cause where it is an answer */
export function logPart({ request }: BaseController, error: Error, cause: unknown): void {
  if (typeof (cause as { status?: unknown } | undefined)?.status === "number") throw cause;
  const known = logged.get(request) ?? new Set();
  logged.set(request, known);
  if (known.has(error.message)) return;
  known.add(error.message);
  request.application.log.error({ err: error, request: request.id }, error.message);
}

/** What a plugin renders. @throws for a promise, which is not awaited and must not end the process as unhandled */
export function renderedAtOnce<T>(rendered: T): T {
  if (!(rendered instanceof Promise)) return rendered;
  rendered.catch(() => undefined);
  throw new Error("it returned a promise, and pages are rendered at once");
}
