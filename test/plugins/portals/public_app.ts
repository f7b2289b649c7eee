import { request } from "node:http";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const engine = "packages/guest_portal/lib/engine.ts";
const concern = "packages/guest_portal/app/controllers/guest_portal/concerns/controller.ts";

/** The engine of the guests' portal, with its words, and how its tenants are found. */
export const engineWith = (words: string, strategy = "path") => ({
  [engine]: edited(tenantFiles, engine, [
    'engine.config.afterInitialize(() => engine.scopeToEntity(Organization, { strategy: "path" }));',
    `${words} engine.config.afterInitialize(() => engine.scopeToEntity(Organization, { strategy: ${JSON.stringify(strategy)} }));`,
  ]),
});

/** A mode that knows people by a cookie of ours alone, and admits guests. */
const members = `const members = definePlugin({
  name: "members",
  requires: ["host"],
  apply({ services }) {
    services.host.authModes.add("member", {
      guests: "admit",
      byCookies: true,
      find: (request) => (request.cookies.fw_member ? { id: Number(request.cookies.fw_member), name: "Cat" } : null),
    });
  },
});
`;

/** Guests and people who are signed in read one portal, where everybody may enter each tenant. */
export const publicFiles: Record<string, string> = {
  ...engineWith("engine.allowPublicCache({ maxAge: 60 });"),
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    ["export default definePlugins([", `${members}export default definePlugins([`],
    ["  widening,\n", "  members,\n"],
  ),
  [concern]: `import { AuthenticatedBy, type ControllerClass, concern } from "framewright";
    import { PortalController } from "framewright/plugins/portals";
    export default <B extends ControllerClass>(Base: B) =>
      class extends concern(Base, PortalController, AuthenticatedBy("member")) {
        authorizeEntity() { return true; }
        currentOrganization() { return undefined; }
      };`,
};
/** Somebody who is signed in. */
export const cat = { cookie: "fw_member=3" };

export const openPublic = (changes: Record<string, string> = {}, values: Record<string, string> = {}) =>
  openTenants({ ...publicFiles, ...changes }, values);

export interface Got {
  status: number;
  text: string;
  headers: Record<string, string | string[] | undefined>;
}

/** A request as it is written here, with the host name too. */
export function get(
  { url }: Pick<TestApp, "url">,
  path: string,
  { method = "GET", ...headers }: Record<string, string> = {},
  body?: string,
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers: { accept: "text/html", ...headers } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () =>
        resolve({ status: answer.statusCode!, text: Buffer.concat(parts).toString(), headers: answer.headers }),
      );
    });
    sent.on("error", reject).end(body);
  });
}
