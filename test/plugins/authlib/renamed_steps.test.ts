import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, openAccounts, PASSWORD } from "./accounts.ts";

/** Steps by their earlier names, in an account plugin and in a feature below it. */
const body = `
  override async tell(name, details, ...about) { (globalThis as any).emitted.push(["tell", name]); await super.tell(name, details, ...about); }
  override async mayTry(login) { return login !== "banned@example.test" && (await super.mayTry(login)); }
  override deadLink(page, label) { (globalThis as any).emitted.push(["deadLink", page]); return super.deadLink(page, label); }`;

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Steps by their earlier names, on ${database.name}`, (it) => {
    it.unless(
      database.skip,
      "Steps that are overridden by their earlier names are called, and call the steps of features by super",
      async () => {
        const emitted: string[][] = [];
        Object.assign(globalThis, { emitted });
        const features = "login(), logout(), lockout({ maxAttempts: 2 }), auditLogging(), emailAuth()";
        const app = await openAccounts(
          { user: { features, body } },
          { values: await database.values(), authlib: "{ limits: false }" },
        );
        try {
          const logIn = (login: string, password: string) => app.client().submit("/users/login", { login, password });
          await addPeople(app, "user", "ann@example.test", "banned@example.test");
          assert.is((await logIn("ann@example.test", PASSWORD)).status, 303);
          assert.ok(emitted.some(([step, event]) => step === "tell" && event === "login"));
          const { knex } = app.application.kernel.service("database");
          const logged = await knex("user_authentication_audit_logs").where({ event: "login" });
          assert.is(logged.length, 1, "auditLogging() stores the event once");

          assert.is((await logIn("banned@example.test", PASSWORD)).status, 422, "mayTry() refuses");
          for (const password of ["wrong", "wrong", PASSWORD])
            assert.is.not((await logIn("ann@example.test", password)).status, 303, "and lockout() is asked by super");

          const { status } = await app.client().request("/users/email-auth?key=none");
          assert.is(status, 422);
          assert.ok(emitted.some(([step, page]) => step === "deadLink" && page === "email-auth"));
        } finally {
          await app.close();
          await database.clean();
        }
      },
    );
    it.unless(database.skip, "A step can be called by its earlier name on the authlib object", async () => {
      const app = await openAccounts(
        { user: { features: "login(), auditLogging()" } },
        { values: await database.values() },
      );
      try {
        const [id] = await addPeople(app, "user", "ann@example.test");
        const { types } = app.application.kernel.service("auth");
        const type = types.get("user", "a test");
        const { AuthlibBase, authlibOf } = await import("framewright/plugins/authlib");
        const { RequestContext } = await import("framewright/host");
        const raw = { method: "POST", url: "/", headers: {}, socket: { remoteAddress: "" } };
        const authlib = authlibOf(new RequestContext(app.application, raw as never), type);
        assert.instance(authlib, AuthlibBase);
        await authlib.tell("unlocked", {}, { id: id! });
        const { knex } = app.application.kernel.service("database");
        assert.is((await knex("user_authentication_audit_logs").where({ event: "unlocked" })).length, 1);
      } finally {
        await app.close();
        await database.clean();
      }
    });
  });
}
