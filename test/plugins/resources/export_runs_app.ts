import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { Client } from "../../testing/client.ts";
import { notificationsMigration, withNotifications } from "../notifications/notifications_app.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { importFiles, list } from "./import_app.ts";

// The tenants of import_app.ts, whose people export shipments and comments: more than three rows in the background.

const policy = "app/policies/shipment_policy.ts";
const comments = "app/policies/comment_policy.ts";
const config = "plugins.config.ts";

export const settings = (more: string, from = importFiles): Record<string, string> => ({
  [config]: edited(
    from,
    config,
    ["  exports(),\n", ""],
    ["resources(),\n  backgroundRuns({ lease: 1500 }),\n  imports(),\n  jobs({ lease: 1500, poll: 100 }),", more],
  ),
});

const own = {
  ...importFiles,
  ...settings(
    "resources(),\n  backgroundRuns({ lease: 1500 }),\n  exports({ backgroundRows: 3 }),\n  imports(),\n  jobs({ run: false }),",
  ),
};

export const exportRunFiles: Record<string, string> = {
  ...own,
  ...notificationsMigration,
  ...withNotifications(own),
  [policy]: edited(
    importFiles,
    policy,
    ["override canExport() { return true; }", "override canExport() { return Boolean(this.user?.may_import); }"],
    [
      "override permittedAttributesForIndex() { return [",
      'override permittedAttributesForIndex() { return this.user?.name === "Narrow" ? ["reference"] : [',
    ],
  ),
  [comments]: edited(tenantFiles, comments, [
    "override canRead()",
    "override canExport() { return this.parent !== undefined; } override canRead()",
  ]),
};

/** The columns of a shipment. */
export const shipment = (at: number, organization_id = 1) => ({
  ...{ organization_id, author_id: 1, reference: `S-${String(at).padStart(5, "0")}`, note: "=1+1", weight: at },
  ...{ created_at: "2026-03-01 10:00:00.000", updated_at: "2026-03-01 10:00:00.000" },
});

/** A person with a browser without JavaScript, who exports lists. */
export class Exporter {
  readonly #client: Client;
  readonly #user: string;

  constructor(app: Pick<TestApp, "url">, user: number) {
    this.#client = new Client(app.url);
    this.#user = String(user);
  }
  get(path: string, accept = "text/html,*/*"): Promise<Response> {
    return this.#client.request(path, { headers: { "x-user": this.#user, accept } });
  }
  async page(path: string): Promise<string> {
    return (await this.get(path)).text();
  }
  /** Presses the button of a page that offers to prepare a file. */
  async press(html: string, pages = 1): Promise<Response[]> {
    const [, action, form] = /<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(html) ?? [];
    if (action === undefined) throw new Error(`there is no form: ${html}`);
    const fields = [...form!.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name, value]) => [name!, value!] as [string, string],
    );
    const send = () =>
      this.#client.request(action.replaceAll("&amp;", "&"), {
        method: "POST",
        headers: { "x-user": this.#user },
        body: new URLSearchParams(fields),
      });
    return Promise.all(Array.from({ length: pages }, send));
  }
  /** Asks for an export that is long; answers with the address of its run. */
  async prepare(path = `${list}/export.csv`): Promise<string> {
    const [answer] = await this.press(await this.page(path));
    const location = answer!.headers.get("location");
    if (location === null) throw new Error(`${answer!.status}: ${await answer!.text()}`);
    return location;
  }
  /** Sends what a program sends. */
  post(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#client.request(path, {
      ...{ method: "POST", body: "{}" },
      headers: { "x-user": this.#user, accept: "application/json", "content-type": "application/json", ...headers },
    });
  }
  async ended(url: string, milliseconds = 20_000): Promise<string> {
    const until = performance.now() + milliseconds;
    while (performance.now() < until) {
      const html = await this.page(url);
      if (!/>(?:Waiting|Running)</.test(html)) return html;
      await sleep(25);
    }
    throw new Error("the export did not end");
  }
}
