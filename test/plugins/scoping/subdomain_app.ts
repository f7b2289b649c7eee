import { request } from "node:http";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "./tenants.ts";

const migration = "db/migrate/20260101000000_create_tables.ts";
const engine = "packages/customer_portal/lib/engine.ts";
const controllers = "packages/customer_portal/app/controllers/customer_portal";

/** The tenants, whose customers' portal is at alpine.shop.example and baltic.shop.example. */
export const subdomainFiles: Record<string, string> = {
  [engine]: edited(tenantFiles, engine, [
    "engine.scopeToEntity(Organization)",
    'engine.scopeToEntity(Organization, { strategy: "subdomain" })',
  ]),
  [migration]: edited(tenantFiles, migration, [
    /"organizations", \(t\) => \{\n\s+t\.id\(\);/,
    '"organizations", (t) => {\n    t.id();\n    t.string("slug").unique();',
  ]),
  "app/models/organization.ts": edited(tenantFiles, "app/models/organization.ts", [
    "static override associations",
    'static override paramKey = "slug";\n  static override associations',
  ]),
  [`${controllers}/posts_controller.ts`]: `import Organization from "#app/models/organization.ts"; import ResourceController from "./resource_controller.ts";
    export default class PostsController extends ResourceController {
      async preview() {
        const [here, there] = [await Organization.query().findById(1), await Organization.query().findById(2)];
        const url = (entity: unknown) => this.resourceUrlFor(this.record!, { entity: entity as never });
        const job = this.request.kernel.service("resources").urlFor(this.record!, { portal: "CustomerPortal", entity: there as never });
        return this.json({ own: this.resourceUrlFor(this.record!), here: url(here), there: url(there), job, helper: this.helpers.posts_url!(), list: this.request.kernel.service("scoping").entryUrl(this) });
      }
    }`,
  "packages/guest_portal/app/controllers/guest_portal/posts_controller.ts": `import Organization from "#app/models/organization.ts"; import ResourceController from "./resource_controller.ts";
    export default class PostsController extends ResourceController {
      async preview() {
        const entity = await Organization.query().findById(2);
        return this.json({ there: this.resourceUrlFor(this.record!, { portal: "CustomerPortal", entity: entity as never }) });
      }
    }`,
};

export const hosts = { ALLOWED_HOSTS: "shop.example,api.shop.example,*.shop.example,localhost,127.0.0.1" };

export async function openSubdomains(
  changes: Record<string, string> = {},
  values: Record<string, string> = {},
): Promise<TestApp> {
  const app = await openTenants({ ...subdomainFiles, ...changes }, { ...hosts, ...values });
  const { knex } = databaseOf(app.application);
  for (const [id, slug] of ["alpine", "baltic"].entries())
    await knex("organizations")
      .where({ id: id + 1 })
      .update({ slug });
  return app;
}

export interface Answer {
  status: number;
  text: string;
  headers: Record<string, string | string[] | undefined>;
}

/** A request at a host name, which `fetch` does not let tests choose. */
export function askAt(
  app: TestApp,
  host: string,
  path: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      app.url + path,
      { method, headers: { accept: "application/json", ...headers, host } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, text: Buffer.concat(parts).toString(), headers: answer.headers }),
        );
      },
    );
    sent.on("error", reject).end(body);
  });
}

/** Everything of an answer that could tell two apart. */
export const bytesOf = ({ status, text, headers: { date: _, ...headers } }: Answer): string =>
  JSON.stringify([status, headers, text]);
