import type { TestApp } from "../../../support/apps.ts";
import { databases } from "../../../support/databases.ts";
import { assert, describe } from "../../../support/index.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD } from "../accounts.ts";
import { differs } from "./ranks.ts";
import { everything, neutral, post, quick } from "./support.ts";

const WRONG = "not it, not at all";
const known = "known0@example.test";
const nobody = "nobody@example.test";
/** In every state that an account can be in; all as long as each other. */
const people = [known, "locked@example.test", "unveri@example.test", "closed@example.test", "nopass@example.test"];

async function addAll(app: TestApp): Promise<void> {
  await addPeople(app, "user", ...people.slice(0, 4));
  await app.application.kernel.service("auth").createAccount("user", { email: people[4] });
  const { knex } = databaseOf(app.application);
  await knex("users").where({ email: people[2] }).update({ account_status: "unverified" });
  await knex("users").where({ email: people[3] }).update({ account_status: "closed" });
  for (let time = 0; time < 5; time++) await post(app, "/users/login", { login: people[1], password: WRONG });
}

const password = { password: WRONG, password_confirmation: WRONG };
const forms: [path: string, fields: Record<string, string>][] = [
  ["/users/login", { password: WRONG }],
  ["/users/reset-password-request", {}],
  ["/users/verify-account", {}],
  ["/users/unlock-account", {}],
  ["/users/email-auth", {}],
  ["/users/create-account", password],
];

for (const database of await databases()) {
  describe(`Enumeration of logins, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const options = { values: await database.values(), authlib: "{ limits: false }", plugins: quick };
        app = await openAccounts({ user: { features: everything } }, options);
        await addAll(app);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    /** What a browser sees: the answer, and the page that it leads to. */
    const inBrowser = async (path: string, login: string, fields: Record<string, string>) => {
      const client = app.client();
      const answer = await client.submit(path, { ...fields, login });
      const location = answer.headers.get("location");
      const next = location === null ? undefined : await neutral(await client.request(location), login);
      return { ...(await neutral(answer, login)), next };
    };

    for (const [path, fields] of forms) {
      if (database.name === "sqlite")
        // pages are the same on every database
        can(
          `A form that is sent to ${path} gets the same answer for accounts in any state and for an unknown login`,
          async () => {
            const stranger = path.endsWith("create-account") ? "strang@example.test" : nobody;
            const reference = await inBrowser(path, stranger, fields);
            for (const login of people) assert.equal(await inBrowser(path, login, fields), reference, login);
          },
        );
      can(
        `JSON that is sent to ${path} gets the same answer for accounts in any state and for an unknown login`,
        async () => {
          const stranger = path.endsWith("create-account") ? "strano@example.test" : nobody;
          const reference = await neutral(await post(app, path, { ...fields, login: stranger }), stranger);
          for (const login of people)
            assert.equal(await neutral(await post(app, path, { ...fields, login }), login), reference, login);
        },
      );
    }
    can("The right password of an account that may not sign in gets the answer of an unknown login", async () => {
      const reference = await inBrowser("/users/login", nobody, { password: PASSWORD });
      for (const login of people.slice(1))
        assert.equal(await inBrowser("/users/login", login, { password: PASSWORD }), reference, login);
    });
    can("Concurrent sign-ups with a free and with a taken login all get 200", async () => {
      for (const login of ["twice0@example.test", known]) {
        const answers = await Promise.all(
          [1, 2, 3].map(() => post(app, "/users/create-account", { ...password, login })),
        );
        assert.equal(
          answers.map(({ status }) => status),
          [200, 200, 200],
          login,
        );
      }
    });
    can("A login with a letter that the database takes for another gets the answer of an unknown login", async () => {
      const [lookalike, other] = [known, nobody].map((login) => login.replace("ex", "éx")) as [string, string];
      const fields = { password: PASSWORD };
      assert.equal(await inBrowser("/users/login", lookalike, fields), await inBrowser("/users/login", other, fields));
      for (const login of [lookalike, other])
        assert.is((await post(app, "/users/create-account", { ...password, login })).status, 200, login);
      assert.is((await post(app, "/users/create-account", { ...password, login: "é..@-" })).status, 422);
    });
  });
}

describe("Validations of the model at a sign-up", (it) => {
  it("A sign-up that the model accepts or refuses gets the same answer for a free and a taken login", async () => {
    const app = await openAccounts(
      { user: { features: "login(), createAccount(), verifyAccount()" } },
      {
        authlib: "{ limits: false }",
        plugins: quick,
        files: {
          "app/models/user.ts": `import { Model } from "framewright/plugins/database";
            export default class User extends Model("users") { static override validations = { email: { uniqueness: true }, name: { length: { minimum: 3, allowBlank: true } } } as never; }`,
          "app/authlib/user_authlib_plugin.ts": `import { AuthlibBase, createAccount, features, login, verifyAccount } from "framewright/plugins/authlib";
            export default class UserAuthlibPlugin extends features(AuthlibBase, [login(), createAccount(), verifyAccount()]) {
              override newAccountValues() { return { name: this.param("name") }; }
            }`,
        },
      },
    );
    try {
      await addPeople(app, "user", known);
      for (const name of ["x", "Xaver"]) {
        const free = await neutral(
          await post(app, "/users/create-account", { ...password, name, login: nobody }),
          nobody,
        );
        const taken = await neutral(
          await post(app, "/users/create-account", { ...password, name, login: known }),
          known,
        );
        assert.equal(taken, free);
        assert.is(free.status, name === "x" ? 422 : 200);
      }
    } finally {
      await app.close();
    }
  });
});

const ROUNDS = 3;
/** argon2id all the same, of 4 MiB: a busy machine takes a minute for 200 of the real ones, and less work hides less. */
const cheaper = {
  imports: `import { passwords } from "framewright/plugins/passwords";`,
  list: `{ ...passwords({ memory: 4096 }), name: "cheaper", replaces: true },`,
};
describe("The time that a wrong password takes", (it, { before, after }) => {
  let app: TestApp;
  const found: number[] = [];
  before(async () => {
    app = await openAccounts(
      { user: { features: "login(), logout()" } },
      { authlib: "{ limits: false }", plugins: cheaper },
    );
    await addPeople(app, "user", known);
    for (const login of [known, nobody, known, nobody]) await timeOf(login); // warm
  });
  after(() => app.close());
  const timeOf = async (login: string) => {
    const start = performance.now();
    await (await post(app, "/users/login", { login, password: WRONG })).arrayBuffer();
    return performance.now() - start;
  };
  const isSame = () => found.some((p) => p > 0.001);

  for (let round = 1; round <= ROUNDS; round++) {
    it(`Round ${round} measures the times for a known and an unknown login, where it is needed`, async () => {
      if (isSame()) return;
      const times: [ofKnown: number[], ofNobody: number[]] = [[], []];
      for (let index = 0; index < 100; index++) {
        for (const which of index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
          times[which].push(await timeOf([known, nobody][which]!));
      }
      found.push(differs(...times));
    });
  }
  it("The times for a known and an unknown login do not differ significantly in one of three rounds", () => {
    console.log(`known against unknown, 200 tries a round: p = ${found.map((p) => p.toFixed(3)).join(", ")}`);
    assert.ok(isSame(), `they can be told apart: p = ${found.join(", ")}`);
  });
});
