import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { openRunsApp, whereTo } from "./runs_app.ts";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A wizard that never ends, on ${database.name}`, (it) => {
    it.unless(
      database.skip,
      "A wizard that hangs in execute or a tap is 503 at the deadline, writes nothing and can be sent again",
      async () => {
        const app = await openRunsApp({ ...(await database.values()), REQUEST_DEADLINE: "1000" });
        const never = () => new Promise<void>(() => undefined);
        try {
          await app.as(1, "GET", "/office/onboard");
          await app.send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
          await app.send(1, "/office/onboard/people", { count: "3" });
          for (const moment of ["locked", "inside", "executing"]) {
            app.moments[moment] = never;
            const answer = await app.send(1, "/office/onboard/review");
            assert.is(answer.status, 503, moment);
            delete app.moments[moment];
            const start = performance.now();
            assert.is((await app.as(2, "GET", "/office/onboard")).status, 303, moment);
            assert.ok(performance.now() - start < 3000, moment);
            assert.equal(await app.rows("companies"), []);
          }
          let end = await app.send(1, "/office/onboard/review");
          for (let attempt = 0; attempt < 20 && end.status !== 303; attempt++)
            end = await app.send(1, "/office/onboard/review");
          assert.is(whereTo(end), "303 /office/done");
          assert.is((await app.rows("companies")).length, 1);
        } finally {
          await app.close();
          await database.clean();
        }
      },
    );
  });
}
