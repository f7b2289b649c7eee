import { messageOf, type SyncHook } from "framewright/kernel";
import type { RequestContext } from "../http/request.ts";
import { TraceContext } from "../http/trace_context.ts";
import { patternOf } from "../routing/route_pattern.ts";
import type { ApplicationContext } from "./application_context.ts";
import type { ObservedEvent, ObservedJob } from "./observed_event.ts";
import { currentTrace, withOrigin } from "./origin.ts";
import { optionalService } from "./ports.ts";

type Tap = (event: ObservedEvent) => unknown;

/** Reports what the application does to the taps of `observe`. Nothing is measured where there are none. */
export class Observation {
  readonly #application: ApplicationContext;
  readonly #running = new WeakSet<RequestContext>();
  #hook: SyncHook<[event: ObservedEvent]> | undefined;

  constructor(application: ApplicationContext) {
    this.#application = application;
  }

  /** Whether anybody listens; read once at the end of boot. */
  get isOn(): boolean {
    return this.#hook !== undefined;
  }
  /** Finds out whether anybody listens: all plugins are applied, and no request is served yet. */
  open(): void {
    const { hooks, kernel } = this.#application;
    if (hooks.observe.taps.length === 0) return;
    this.#hook = hooks.observe;
    this.#application.tracksOrigins = true;
    optionalService(kernel, "views")?.observe?.(({ file, milliseconds }) => {
      const startedAt = performance.now() - milliseconds;
      this.report({ kind: "template", trace: currentTrace(), file, startedAt, milliseconds });
    });
  }

  /** Calls every tap. One that throws is logged with its plugin's name: it spoils neither the request nor the other taps. */
  report(event: ObservedEvent): void {
    for (const { name, fn } of this.#hook?.taps ?? []) {
      try {
        (fn as Tap)(event);
      } catch (err) {
        const facts = { err, plugin: name, hook: "host.observe" };
        this.#application.log.error(facts, `the plugin "${name}" failed at host.observe: ${messageOf(err)}`);
      }
    }
  }

  started(request: RequestContext): void {
    this.#running.add(request);
    const { trace, startedAt } = request;
    this.report({ kind: "request.started", trace, request, startedAt });
  }
  /** Reported once: a request that its deadline has ended may still answer. */
  ended(request: RequestContext, status: number): void {
    if (!this.#running.delete(request)) return;
    const { trace, method, startedAt } = request;
    const milliseconds = performance.now() - startedAt;
    this.report({ kind: "request.ended", trace, request, method, route: patternOf(request), status, milliseconds });
  }
  refused(method: string, status: number, milliseconds: number): void {
    this.report({ kind: "request.refused", trace: undefined, method, status, milliseconds });
  }
}

/**
 * Runs an attempt of a job as its origin, and reports it: what every filler of the slot "jobs" runs jobs by. Rethrows what
 * `work` throws.
 * @example await runJob(services.host, { job: kind, id, attempt }, () => handler(payload))
 */
export function runJob<T>(host: ApplicationContext | undefined, job: ObservedJob, work: () => Promise<T>): Promise<T> {
  const trace = new TraceContext();
  const origin = { job: job.job, trace };
  if (!host?.observation.isOn) return withOrigin(origin, work);
  return withOrigin(origin, () => observedJob(host.observation, { ...job, trace }, work));
}

async function observedJob<T>(
  observation: Observation,
  job: ObservedJob & { readonly trace: TraceContext },
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const ended = (failed: boolean) =>
    observation.report({ kind: "job.ended", ...job, milliseconds: performance.now() - startedAt, failed });
  observation.report({ kind: "job.started", ...job, startedAt });
  try {
    const result = await work();
    ended(false);
    return result;
  } catch (error) {
    ended(true);
    throw error;
  }
}
