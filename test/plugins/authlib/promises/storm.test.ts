import { assert, describe } from "../../../support/index.ts";
import { within } from "../../../support/pace.ts";
import { exitOf, serveApp } from "../../../support/processes.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD } from "../accounts.ts";
import { asJson } from "./support.ts";

process.env.FW_TEST_HASHES = "real"; // the costs that people get: these times are what is measured

const PEOPLE = 50;
const login = (index: number) => `p${index}@example.test`;

describe("Fifty concurrent sign-ins with argon2", (it, { before, after }) => {
  let served: Awaited<ReturnType<typeof serveApp>>;
  before(async () => {
    const app = await openAccounts({ user: { features: "login(), logout(), lockout()" } });
    const [first] = await addPeople(app, "user", login(0));
    const { knex } = databaseOf(app.application);
    const [person, hash] = [await knex("users").first(), await knex("user_password_hashes").first()];
    for (let index = 1; index < PEOPLE; index++) {
      const id = first! + index;
      await knex("users").insert({ ...person, id, email: login(index) });
      await knex("user_password_hashes").insert({ ...hash, id, account_id: id }); // one hash for all is soon made
    }
    await app.close();
    served = await serveApp(app.root, { LOG_LEVEL: "silent" });
    await signIn(0);
  });
  after(async () => {
    served.child.kill("SIGTERM");
    await exitOf(served.child);
  });

  const signIn = async (index: number) => {
    const body = JSON.stringify({ login: login(index), password: PASSWORD });
    const answer = await fetch(`${served.url}/users/login`, { method: "POST", headers: asJson, body });
    await answer.arrayBuffer();
    return answer.status;
  };
  /** Milliseconds that `/healthz` takes, asked every few of them until the work is done; sorted. */
  const healthWhile = async (work: Promise<unknown>) => {
    let isDone = false;
    const watched = work.finally(() => {
      isDone = true;
    });
    const times: number[] = [];
    while (!isDone) {
      const start = performance.now();
      await (await fetch(`${served.url}/healthz`)).arrayBuffer();
      times.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    await watched;
    return times.sort((one, other) => one - other);
  };
  const story = async (name: string, who: (index: number) => number) => {
    const start = performance.now();
    const all = Promise.all(Array.from({ length: PEOPLE }, (_, index) => signIn(who(index))));
    const times = await healthWhile(all);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const p99 = times[Math.min(times.length - 1, Math.floor(times.length * 0.99))]!;
    console.log(`${name}: ${PEOPLE} sign-ins in ${seconds} s; /healthz p99 ${p99.toFixed(1)} ms of ${times.length}`);
    assert.equal(await all, Array(PEOPLE).fill(200));
    assert.ok(p99 < within(100), `${p99} ms`);
  };

  it("Fifty users sign in at once, while /healthz takes less than 100 ms at p99", () =>
    story("fifty people", (index) => index));
  it("One user signs in fifty times at once, while /healthz takes less than 100 ms at p99", () =>
    story("one person", () => 7));
});
