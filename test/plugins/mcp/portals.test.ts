import { newApiKey } from "../../../plugins/api_keys/key.ts";
import { digestOf } from "../../../plugins/memberships/invitations/invitation.ts";
import type { OpenApiDocument } from "../../../plugins/openapi/index.ts";
import type { TestApp } from "../../support/apps.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { files as dashboardFiles, openDashboards } from "../dashboards/dashboards_app.ts";
import { Checker, operationsOf } from "../openapi/checker.ts";
import { openProgramNotes, signIn } from "../openapi/program_notes.ts";
import { openTenants } from "../scoping/tenants.ts";
import { openWizards, portalRoutes, wizardFile, wizardFiles } from "../wizards/mounts_support.ts";
import { agent, clientFiles, fails } from "./mcp_app.ts";

const agents = (config: string) =>
  [
    ["openapi()", "openapi"],
    ["mcp()", "mcp"],
  ].reduce((text, [call, folder]) => withPlugin(text, call!, folder!), config);
const as = (id: number) => ({ "x-user": String(id) });
const documentOf = async (app: TestApp, path: string, id: number) =>
  (await (await app.request(`${path}/openapi.json`, { headers: as(id) })).json()) as OpenApiDocument;
/** Why an answer is not as its document describes it. */
async function problemOf(document: OpenApiDocument, id: string, answer: Response): Promise<string | undefined> {
  const one = operationsOf(document).find(({ operation }) => operation.operationId === id);
  assert.ok(one, `${id} is not described`);
  return new Checker(document).problemOf(one!, answer);
}

describe("Agents in portals with their own way to sign in", (it) => {
  it("Dashboards are read with the cards and records of the person, as their document says", async () => {
    const app = await openDashboards({ "plugins.config.ts": agents(dashboardFiles["plugins.config.ts"]!) });
    try {
      const ann = await agent(app, "/admin/mcp", as(1));
      const read = (await ann.call("getMainDashboard", { period: "30d" })).body.data;
      const cards = Object.fromEntries(read.cards.map((card: { key: string }) => [card.key, card]));
      assert.is(read.period, "30d");
      assert.is(cards.fresh.data.value, 3);
      assert.equal(Object.keys(cards.latest.data[0]), ["id", "label", "url"]);
      assert.equal(
        Object.keys(cards.wide.data[0]),
        ["id", "label", "url", "title", "status", "user"],
        "of what the policy permits",
      );
      assert.equal(cards.more.data, [{ label: "Handbook", url: "/handbook", text: "How we work", icon: "book" }]);
      assert.equal([cards.broken.failed, cards.slow.failed, "data" in cards.broken], ["failed", "late", false]);
      assert.ok(cards.words);
      const bob = await agent(app, "/admin/mcp", as(2));
      const theirs = await bob.call("getMainDashboard", {});
      assert.not.match(theirs.text, /"words"|Ann today|Cleo/);
      const cleo = await agent(app, "/team/2/mcp", as(3));
      const team = await cleo.call("getMainDashboard", {});
      assert.match(team.text, "MARK of Cleo");
      assert.not.match(team.text, /Ann|Bob/);
      await fails(() => agent(app, "/team/1/mcp", as(3)));
      const document = await documentOf(app, "/admin", 1);
      const answer = await app.request("/admin.json?period=7d", { headers: as(1) });
      assert.is(await problemOf(document, "getMainDashboard", answer), undefined);
      const page = await app.request("/admin", { headers: { ...as(1), accept: "text/html" } });
      assert.match(String(page.headers.get("content-type")), "text/html");
    } finally {
      await app.close();
    }
  });

  it("Wizards are gone through step by step, on a record and on a route of their own", async () => {
    const body = `async execute() { return succeed().withMessage("Well done " + JSON.stringify(this.data)); }`;
    const app = await openWizards({
      "plugins.config.ts": agents(wizardFiles["plugins.config.ts"]!),
      "app/wizards/onboard_wizard.ts": wizardFile("OnboardWizard", `completed: { title: "Done" }`, { body }),
      "packages/admin_portal/config/routes.ts": portalRoutes(
        `routes.registerWizard(OnboardWizard, { at: "onboarding" });`,
        `import OnboardWizard from "#app/wizards/onboard_wizard.ts";`,
      ),
    });
    try {
      const ann = await agent(app, "/admin/mcp", as(1));
      const bob = await agent(app, "/admin/mcp", as(2));
      const names = await ann.names();
      for (const name of ["startOnboard", "getOnboardStep", "answerOnboardStep", "getOnboardOutcome"]) assert.ok(names.includes(name), names.join(" ")); // biome-ignore format: one line
      const { tools } = await ann.client.listTools();
      const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]));
      assert.equal([hints.startOnboard, hints.getOnboardStep, hints.answerOnboardStep], [false, true, false]);
      const started = await ann.call("startOnboard");
      const address = started.body.address as { tool: string; arguments: Record<string, string> };
      assert.equal([address.tool, address.arguments.step], ["getOnboardStep", "first"], started.text);
      const foreign = await bob.call("getOnboardStep", address.arguments);
      assert.is(foreign.isError, true, "a run of somebody else");
      const wrong = await ann.confirmed("answerOnboardStep", { ...address.arguments, wizard: { title: "" } });
      assert.equal([wrong.isError, Object.keys(wrong.body.errors as object)], [true, ["title"]], wrong.text);
      const first = await ann.confirmed("answerOnboardStep", {
        ...address.arguments,
        wizard: { title: "By an agent" },
      });
      const next = first.body.address as { arguments: Record<string, string> };
      assert.is(next.arguments.step, "second", first.text);
      const last = { ...next.arguments, wizard: { note: "last" } };
      const preview = await ann.call("answerOnboardStep", last);
      const done = await ann.call("answerOnboardStep", { ...last, confirmation: preview.body.confirmation });
      assert.is(done.isError, false, done.text);
      assert.match(done.body.data.message, "By an agent");
      const runs = await databaseOf(app.application).knex("framewright_wizard_runs").select("state");
      assert.equal(
        runs.map(({ state }: { state: string }) => state),
        ["completed"],
      );
      assert.is(
        (await ann.call("answerOnboardStep", { ...last, confirmation: preview.body.confirmation })).isError,
        true,
      );
      const document = await documentOf(app, "/admin", 1);
      const launched = await app.request("/admin/onboarding.json", { headers: as(1), redirect: "manual" });
      assert.is(await problemOf(document, "startOnboard", launched), undefined);
      const at = `${launched.headers.get("location")}.json`;
      assert.is(await problemOf(document, "getOnboardStep", await app.request(at, { headers: as(1) })), undefined);
      const refused = await app.request(at, { method: "POST", headers: { ...as(1), "content-type": "application/json" }, body: "{}" }); // biome-ignore format: one line
      assert.is(await problemOf(document, "answerOnboardStep", refused), undefined);
    } finally {
      await app.close();
    }
  });

  it("Tokens of an account type sign in as well, and are not taken for another one's", async () => {
    const app = await openProgramNotes("openapi(), (await import('framewright/plugins/mcp')).mcp()");
    try {
      const { access_token, refresh_token } = await signIn(app);
      const ann = await agent(app, "/api_user/mcp", access_token);
      const created = await ann.confirmed("createNote", { note: { title: "By a token" } });
      assert.is(created.body.data.title, "By a token", created.text);
      assert.equal((await ann.call("listNotes")).body.data.length, 1);
      const names = await ann.names();
      assert.equal(
        names.filter((name) => /sign|token/i.test(name)),
        [],
        "signing in is no tool",
      );
      await fails(() => agent(app, "/api_user/mcp", refresh_token));
      await fails(() => agent(app, "/api_user/mcp", "x".repeat(5000)));
    } finally {
      await app.close();
    }
  });

  it("A program of a tenant that may only read is offered what reads, and carries nothing else out", async () => {
    const app = await openTenants(clientFiles);
    try {
      const { knex } = databaseOf(app.application);
      const add = async (role: string, organization_id: number) => {
        const key = newApiKey();
        const row = { organization_id, name: role, role, key_digest: digestOf(key), key_hint: key.slice(-4) };
        await knex("api_clients").insert(row);
        return key;
      };
      const reader = await agent(app, "/customer/mcp", await add("read_only", 1));
      const names = await reader.names();
      assert.ok(names.includes("listPosts"));
      assert.equal(
        names.filter((name) => /^(create|update|delete|destroy|publish)/.test(name)),
        [],
      );
      await fails(() => reader.call("deletePost", { id: 1 }), /no tool/);
      assert.equal(
        (await reader.call("listPosts")).body.data.map(({ id }: { id: number }) => id),
        [1],
      );
      const writer = await agent(app, "/customer/mcp", await add("write", 2));
      assert.is((await writer.confirmed("updatePost", { id: 2, post: { title: "Theirs" } })).body.data.title, "Theirs");
      assert.is((await writer.confirmed("updatePost", { id: 1, post: { title: "Theirs" } })).isError, true);
      assert.is((await knex("posts").where({ id: 1 }))[0].title, "Post Alpine");
    } finally {
      await app.close();
    }
  });
});
