import { type BaseController, type ControllerClass, conflict, forbidden, notFound, type Reply } from "framewright/host";
import type {} from "framewright/plugins/resources";
import { type JobState, jobStates } from "../contract.ts";
import { act, isOpen, jobJson, jobLocals, runJson, runLocals, scheduleJson, scheduleLocals, tabs } from "./page.ts";

/** How many jobs a page lists, the newest. */
const MAX_LISTED = 100;
const MAX_RETRIED = 1000;
/** The part of the page that is loaded again while work is going on. */
const FRAME = "long-work";

/** The controller of the pages at a path of a portal, for those whom `allow` admits. */
export const jobPagesAt =
  (at: string, allow: (controller: BaseController) => boolean) =>
  <B extends ControllerClass>(Base: B) =>
    class extends Base {
      static viewPath = "jobs";
      static beforeActions = ["refuseOthers"];

      refuseOthers(): void {
        if (!allow(this)) throw forbidden();
      }

      async index(): Promise<Reply> {
        const url = `${this.request.mountPath}/${at}`;
        const runs = (await longWorkOf(this)?.latest()) ?? [];
        const longWork = {
          url,
          frame: FRAME,
          runs: runs.map((run) => runLocals(this, url, run)),
          is_busy: runs.some(isOpen),
        };
        if (this.request.frame === FRAME) return this.render("long_work", { locals: longWork });
        const jobs = jobsOf(this);
        const state = stateOf(this.params.get("state"));
        const [listed, counts, schedules] = await Promise.all([
          jobs.list({ limit: MAX_LISTED, ...(state === undefined ? {} : { state }) }),
          jobs.counts?.() ?? [],
          jobs.schedules(),
        ]);
        if (this.request.format === "json") {
          const meta = { counts, schedules: schedules.map(scheduleJson), runs: runs.map(runJson) };
          return this.json({ data: listed.map(jobJson), meta });
        }
        const locals = {
          ...longWork,
          title: this.t("jobs.title"),
          state,
          retry_failed: counts.some((one) => one.state === "failed") ? act(this, `${url}/retry_failed`) : undefined,
          tabs: tabs(this, url, state, counts),
          jobs: listed.map((job) => jobLocals(this, url, job)),
          schedules: schedules.map((schedule) => scheduleLocals(this, schedule)),
        };
        return this.render("index", { locals });
      }

      async retry(): Promise<Reply> {
        const id = idOf(this);
        return this.report(await jobsOf(this).retry(id), "retried", { id });
      }
      async discard(): Promise<Reply> {
        const id = idOf(this);
        return this.report(await jobsOf(this).discard(id), "discarded", { id });
      }
      async retryFailed(): Promise<Reply> {
        const jobs = jobsOf(this);
        const failed = await jobs.list({ state: "failed", limit: MAX_RETRIED });
        let count = 0;
        for (const { id } of failed) if (await jobs.retry(id)) count++;
        return this.report(true, "retried_all", { count });
      }
      async cancelRun(): Promise<Reply> {
        const id = idOf(this);
        return this.report((await longWorkOf(this)?.cancelById(id)) ?? false, "cancelled", { id });
      }

      /** Leads back to the list with what became of it. @throws 409 for JSON where nothing did */
      report(isDone: boolean, what: string, vars: { id?: number; count?: number }): Reply {
        const message = this.t(`jobs.${isDone ? what : "unchanged"}`, vars);
        if (this.request.format === "json") {
          if (!isDone) throw conflict(message);
          return this.json({ data: { ...vars, message } });
        }
        this.flash.add(isDone ? "success" : "warning", message);
        const state = stateOf(this.params.get("state"));
        return this.redirectTo(`${this.request.mountPath}/${at}${state === undefined ? "" : `?state=${state}`}`);
      }
    };

const jobsOf = ({ request }: BaseController) => request.kernel.service("jobs");
/** What runs in the background of resources; undefined where nothing does. */
const longWorkOf = ({ request: { kernel } }: BaseController) =>
  kernel.has("resources") ? kernel.service("resources").background : undefined;

const stateOf = (given: unknown): JobState | undefined => jobStates.find((state) => state === given);

/** @throws 404 for what is no id */
function idOf({ request }: BaseController): number {
  const { id = "" } = request.routeParams;
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound();
  return Number(id);
}
