import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as framewright from "framewright";
import { assert, describe } from "../support/index.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
/** What applications import from "framewright"; adding a name is a decision, and so is this line. */
const application =
  `Application AuthenticatedBy BackLink BaseController BeforeAction Constraint ControllerClass Engine FieldErrors FileContent FileStream Flash FlashAction
  FramewrightError HttpError Mixin OpenOptions ParamObject ParamValue Params PathHelpers RenderOptions Reply ReplyStream RequestContext RouteNames RouteSet SafeHtml Session
  Settings Tenant Tenants TimeZone TraceContext UploadedFile badRequest concern conflict csrfInput currentTrace definePlugin definePlugins drawRoutes escapeHtml fileReply forbidden html htmlReply jsonReply
  notFound openApplication payloadTooLarge raw readSettings redirectReply serviceUnavailable streamReply tooManyRequests unauthorized unprocessable`
    .split(/\s+/)
    .filter(Boolean);

describe("The entry points of the package", (it) => {
  it("The entry point framewright exports the listed names and no others", () => {
    const listed = [...read("host/index.ts").matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names]) =>
      names!.split(",").map((name) => name.trim().replace("type ", "")),
    );
    assert.equal(listed.filter(Boolean).sort(), [...application].sort());
    for (const name of Object.keys(framewright)) assert.ok(application.includes(name), name);
  });
  it("package.json exports the listed entry points, and each can be imported", async () => {
    const { exports } = JSON.parse(read("package.json")) as { exports: Record<string, unknown> };
    const entries = Object.keys(exports).filter((name) => !name.includes("*") && name !== "./package.json");
    const nested = [
      ...["authlib/actions", "authlib/catalogue", "database/marks", "jobs/pages", "metrics/cluster"],
      ...["fields/rows", "fields/toolkit", "resources/lists", "resources/names", "resources/toolkit"],
    ].map((name) => `./plugins/${name}`);
    const layers = [".", "./kernel", "./host", "./host/inflection", "./host/outbound", "./generators"];
    const wanted = [...layers, ...nested, "./testing", "./register", "./plugins.config"];
    assert.equal(entries.sort(), wanted.sort());
    // "./register" changes how the process that imports it loads files; generators/plugin_package runs it
    for (const entry of entries.filter((name) => name !== "./register"))
      assert.ok(await import(`framewright${entry.slice(1)}`), entry);
  });
  it("framewright/host exports every value that framewright exports", async () => {
    const host = Object.keys(await import("framewright/host"));
    for (const name of Object.keys(framewright)) assert.ok(host.includes(name), name);
  });
});
